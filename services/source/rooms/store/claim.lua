-- Takes a room whose lease is over. KEYS: rooms, room, log. ARGV: id, lease in ms, new owner.
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local expiry = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not expiry or tonumber(expiry) > now then return false end
local owner = redis.call('HGET', KEYS[2], 'owner')
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('HSET', KEYS[2], 'owner', ARGV[3])
local epoch = redis.call('HINCRBY', KEYS[2], 'epoch', 1)
return { epoch, owner, redis.call('HGET', KEYS[2], 'checkpoint'), redis.call('LRANGE', KEYS[3], 0, -1) }
