-- Writes a room whole, whether it is there or was lost, unless a newer epoch is there; gives the epoch in which it is the owner's now, or 0. ARGV: id, lease in ms, owner, epoch, checkpoint.
local id, lease, owner, epoch = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local kept, keeper = holderOf(id)
if kept and kept > epoch then
  if keeper ~= owner then return 0 end
  epoch = kept
end
-- Two have the same epoch where Redis came back to a past: who writes takes the next one, and the other finds that newer.
if kept == epoch and keeper ~= owner then epoch = epoch + 1 end
-- What is replaced is freed first, so that this is possible where Redis is full.
if typeOf(roomKey(id)) ~= 'none' then redis.call('DEL', roomKey(id)) end
if typeOf(logKey(id)) ~= 'none' then redis.call('DEL', logKey(id)) end
write(id, epoch, owner, lease, ARGV[5])
return epoch
