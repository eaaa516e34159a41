-- Takes a room whose lease is over; gives its new epoch, its old owner, the checkpoint, the records, and what is wrong with them, or nothing. ARGV: id, lease in ms, new owner.
evenIfFull()
local id, lease = ARGV[1], tonumber(ARGV[2])
local now = leaseTime(lease)
local expiry = redis.call('ZSCORE', ROOMS, id)
if not expiry then return false end
expiry = tonumber(expiry)
if expiry > now and expiry < now + LONGEST_LEASE then return false end
redis.call('ZADD', ROOMS, now + lease, id)
local kept, owner = holderOf(id)
if not kept then return { 0, '', '', {}, 'there is no checkpoint' } end
local fault = isLogWhole(id) and '' or 'records are missing'
redis.call('HSET', roomKey(id), 'owner', ARGV[3])
local epoch = redis.call('HINCRBY', roomKey(id), 'epoch', 1)
local records = fault == '' and redis.call('LRANGE', logKey(id), 0, -1) or {}
if fault == '' then redis.call('HSET', roomKey(id), 'records', #records) end
return { epoch, owner, redis.call('HGET', roomKey(id), 'checkpoint'), records, fault }
