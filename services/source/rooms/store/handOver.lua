-- Ends the lease of a room, so that another process takes it. ARGV: id, owner, epoch.
if standing(ARGV[1], tonumber(ARGV[3]), ARGV[2]) ~= OURS then return 0 end
redis.call('ZADD', ROOMS, 0, ARGV[1])
return 1
