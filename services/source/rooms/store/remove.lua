-- Forgets a room. KEYS: rooms, room, log. ARGV: id, epoch.
if redis.call('HGET', KEYS[2], 'epoch') ~= ARGV[2] then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2], KEYS[3])
return 1
