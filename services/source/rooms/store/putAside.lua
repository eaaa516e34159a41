-- Puts a room that nobody can go on with where it is kept for a time, with the reason. ARGV: id, owner, epoch, reason. 0: another process has it.
local id = ARGV[1]
if standing(id, tonumber(ARGV[3]), ARGV[2]) == LOST then return 0 end
local name = 'moreau:aside:' .. id
moveAside(roomKey(id), name)
moveAside(logKey(id), name .. ':log')
redis.call('ZREM', ROOMS, id)
redis.call('SET', name .. ':reason', ARGV[4], 'PX', KEPT)
return 1
