-- Writes down what happened in rooms; gives for each whose it is. ARGV: owner, then of each room its id, its epoch, the number of its records, and these.
local answers, at = {}, 2
while at <= #ARGV do
  local id, epoch, count = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local answer = standing(id, epoch, ARGV[1])
  if answer == OURS and not isLogWhole(id) then answer = GONE end
  if answer == OURS then
    redis.call('RPUSH', logKey(id), unpack(ARGV, at + 3, at + 2 + count))
    redis.call('HINCRBY', roomKey(id), 'records', count)
  end
  answers[#answers + 1] = answer
  at = at + 3 + count
end
return answers
