-- What all scripts of rooms begin with: names of keys, and a clock for leases. Answers about who has a room: 0 another process, 1 this one, 2 nobody: it has to be written again, whole.
local ROOMS, CLOCK = 'moreau:rooms', 'moreau:clock'
local LOST, OURS, GONE = 0, 1, 2
-- ms: no process leases a room for so long; a lease that ends later is none.
local LONGEST_LEASE = 3600000
-- ms for which what is no room's is kept to be looked at: three days.
local KEPT = 259200000

local function roomKey(id) return 'moreau:room:' .. id end
local function logKey(id) return 'moreau:room:' .. id .. ':log' end
local function typeOf(key) return redis.call('TYPE', key).ok end

-- Moves a key aside, whatever its type, where it is kept for a time.
local function moveAside(key, name)
  if typeOf(key) == 'none' then return end
  redis.call('RENAME', key, name)
  redis.call('PEXPIRE', name, KEPT)
end

-- What all rooms share must be of its type, whoever wrote something else there.
local function clear(key, kind)
  local found = typeOf(key)
  if found ~= 'none' and found ~= kind then moveAside(key, 'moreau:aside:' .. key) end
end

-- A whole number from 0 on, or nil.
local function whole(text) return text and #text <= 15 and string.match(text, '^%d+$') and tonumber(text) or nil end

-- Epoch and owner of a room, as far as a whole room is there.
local function holderOf(id)
  if typeOf(roomKey(id)) ~= 'hash' then return nil end
  local epoch, owner = unpack(redis.call('HMGET', roomKey(id), 'epoch', 'owner'))
  if redis.call('HEXISTS', roomKey(id), 'checkpoint') == 0 then return nil end
  return whole(epoch), owner
end

-- Whose a room is, for who has it in this epoch: a newer one of the same owner is what its last checkpoint came to. An older epoch, or the same
-- of another owner, is of a past that Redis came back to.
local function standing(id, epoch, owner)
  local kept, keeper = holderOf(id)
  if not kept then return GONE end
  if keeper == owner and kept >= epoch then return OURS end
  return kept > epoch and LOST or GONE
end

-- Whether the log has as many records as were written; rooms of an older version have no such number.
local function isLogWhole(id)
  local kind = typeOf(logKey(id))
  if kind ~= 'none' and kind ~= 'list' then return false end
  local count = redis.call('HGET', roomKey(id), 'records')
  return not count or whole(count) == redis.call('LLEN', logKey(id))
end

-- Writing in a script that has written is not refused for want of memory: leases take no more of it, and must not end because Redis is full.
local function evenIfFull() redis.call('PERSIST', CLOCK) end

-- ms, for leases: Redis' own clock without its jumps. However far that went on, or back, since it was looked at last, no more counts than half
-- a lease: nobody can have renewed one meanwhile, or Redis would have looked. Where it was lost, all rooms get a new lease.
local function leaseTime(lease)
  clear(CLOCK, 'hash')
  clear(ROOMS, 'zset')
  local seconds, micros = unpack(redis.call('TIME'))
  local wall = seconds * 1000 + math.floor(micros / 1000)
  local last = redis.call('HMGET', CLOCK, 'wall', 'time')
  local before, time = whole(last[1]), whole(last[2])
  if not before or not time then
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', ROOMS, '(0', '+inf')) do
      redis.call('ZADD', ROOMS, wall + lease, id)
    end
    redis.call('HSET', CLOCK, 'wall', wall, 'time', wall)
    return wall
  end
  local step = wall - before
  local now = time + math.max(0, math.min(step, math.floor(lease / 2)))
  if step < 0 or step > lease / 4 then redis.call('HSET', CLOCK, 'wall', wall, 'time', now) end
  return now
end

-- Gives a room's lease to its owner.
local function lend(id, lease) redis.call('ZADD', ROOMS, leaseTime(lease) + lease, id) end

-- Writes a room whole.
local function write(id, epoch, owner, lease, checkpoint)
  redis.call('HSET', roomKey(id), 'epoch', epoch, 'owner', owner, 'checkpoint', checkpoint, 'records', 0)
  lend(id, lease)
end
