-- Writes down a new room. KEYS: rooms, room, log. ARGV: id, lease in ms, owner, checkpoint.
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
local time = redis.call('TIME')
redis.call('HSET', KEYS[2], 'epoch', 1, 'owner', ARGV[3], 'checkpoint', ARGV[4])
redis.call('ZADD', KEYS[1], time[1] * 1000 + time[2] / 1000 + ARGV[2], ARGV[1])
return 1
