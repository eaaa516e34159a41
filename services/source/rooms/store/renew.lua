-- Renews the leases of rooms; gives for each whose it is. ARGV: lease in ms, owner, then id and epoch of each.
evenIfFull()
local lease, answers = tonumber(ARGV[1]), {}
local expiry = leaseTime(lease) + lease
for i = 3, #ARGV, 2 do
  local answer = standing(ARGV[i], tonumber(ARGV[i + 1]), ARGV[2])
  if answer == OURS and not isLogWhole(ARGV[i]) then answer = GONE end
  if answer ~= LOST then redis.call('ZADD', ROOMS, expiry, ARGV[i]) end
  answers[#answers + 1] = answer
end
return answers
