-- Writes down what happened in a room. KEYS: room, log. ARGV: epoch, records.
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('RPUSH', KEYS[2], unpack(ARGV, 2))
return 1
