-- Renews the leases of rooms; gives those that have another owner. KEYS: rooms. ARGV: lease in ms, then id and epoch of each.
local time = redis.call('TIME')
local expiry = time[1] * 1000 + time[2] / 1000 + ARGV[1]
local lost = {}
for i = 2, #ARGV, 2 do
  if redis.call('HGET', 'moreau:room:' .. ARGV[i], 'epoch') == ARGV[i + 1] then
    redis.call('ZADD', KEYS[1], expiry, ARGV[i])
  else
    lost[#lost + 1] = ARGV[i]
  end
end
return lost
