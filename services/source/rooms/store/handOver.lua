-- Ends the lease of a room, so that another process takes it. KEYS: rooms, room. ARGV: id, epoch.
if redis.call('HGET', KEYS[2], 'epoch') ~= ARGV[2] then return 0 end
redis.call('ZADD', KEYS[1], 0, ARGV[1])
return 1
