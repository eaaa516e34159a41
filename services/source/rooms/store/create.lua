-- Writes down a new room; 0 if there is one. ARGV: id, lease in ms, owner, checkpoint.
if typeOf(roomKey(ARGV[1])) ~= 'none' then return 0 end
write(ARGV[1], 1, ARGV[3], tonumber(ARGV[2]), ARGV[4])
return 1
