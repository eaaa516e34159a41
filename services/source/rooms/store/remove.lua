-- Forgets a room. ARGV: id, owner, epoch.
if standing(ARGV[1], tonumber(ARGV[3]), ARGV[2]) ~= OURS then return 0 end
redis.call('ZREM', ROOMS, ARGV[1])
redis.call('DEL', roomKey(ARGV[1]), logKey(ARGV[1]))
return 1
