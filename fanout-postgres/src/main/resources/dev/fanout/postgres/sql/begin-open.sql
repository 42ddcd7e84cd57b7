-- Opens the transaction that registers streams and children. Read committed: after another process was first, its rows must be seen.
-- Not asynchronous: an attachment lost in a crash would be made again at a later tail, and what lies between would be lost for it.
-- Parameters: none
-- Reads: nothing · Locks: nothing
set transaction isolation level read committed, read write
