-- Writes down what happened in rooms; gives 0 for those that are another process's. KEYS: room and log of each. ARGV: of each its epoch, the number of its records, and these.
local answers, at = {}, 1
for i = 1, #KEYS, 2 do
  local count = tonumber(ARGV[at + 1])
  local isOurs = redis.call('HGET', KEYS[i], 'epoch') == ARGV[at]
  if isOurs then redis.call('RPUSH', KEYS[i + 1], unpack(ARGV, at + 2, at + 1 + count)) end
  answers[#answers + 1] = isOurs and 1 or 0
  at = at + 2 + count
end
return answers
