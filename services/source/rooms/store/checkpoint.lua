-- Replaces a room's checkpoint, and drops the records that it covers. KEYS: room, log. ARGV: epoch, checkpoint, covered records.
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'checkpoint', ARGV[2])
redis.call('LTRIM', KEYS[2], ARGV[3], -1)
return 1
