-- Rooms whose lease is over, or is no lease, some of them. ARGV: lease in ms, how many at the most.
evenIfFull()
local now, most = leaseTime(tonumber(ARGV[1])), tonumber(ARGV[2])
local ids = redis.call('ZRANGEBYSCORE', ROOMS, '-inf', now, 'LIMIT', 0, most)
for _, id in ipairs(redis.call('ZRANGEBYSCORE', ROOMS, now + LONGEST_LEASE, '+inf', 'LIMIT', 0, most - #ids)) do
  ids[#ids + 1] = id
end
return ids
