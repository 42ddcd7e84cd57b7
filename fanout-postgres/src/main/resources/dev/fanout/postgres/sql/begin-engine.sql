-- Opens a transaction of the engine: sent in front of its first statement, in the same round trip (the driver's BEGIN goes with it).
-- The pool may default to another isolation, where one statement would not see what its predecessors' lock let through, or to read-only.
-- Asynchronous commit: WAL order keeps the database consistent, and memory that outlives a lost commit is found out (ForgottenException).
-- The idle timeout MUST stay below the lease: a stalled owner can't hold the lease row's lock longer than its lease.
-- Parameters: none
-- Reads: nothing · Locks: nothing
set transaction isolation level read committed, read write;
set local synchronous_commit = off;
set local idle_in_transaction_session_timeout = '5s'
