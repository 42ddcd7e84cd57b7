-- Locks a stream, to the end of the transaction: nobody attaches a child to it or deletes it meanwhile. Nobody who appends, publishes
-- or delivers ever locks it.
-- Parameters: 1 stream's name
-- Reads: stream · Locks: that row, and not against references to it (an attachment that publishes there) · Index: stream_name_key
select s.no, (extract(epoch from s.retention) * 1000000)::bigint as retention
  from ${schema}.stream s
 where s.name = ?
   for no key update
