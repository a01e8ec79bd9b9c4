-- Lists the records of a namespace on this server, some at a time. Changes nothing.
--
-- KEYS  1 any key of this server: it says which server of a cluster is asked
-- ARGV  1 a pattern of all keys of records
--       2 where to go on: 0 at first, then what the answer before said
--       3 about how many keys to look at
-- Returns
--       {where to go on, how many, key...}   "0" to go on if that was all

local answer = redis.call('SCAN', ARGV[2], 'MATCH', ARGV[1], 'COUNT', ARGV[3])
local found = {answer[1], 0}
for _, key in ipairs(answer[2]) do
  local kind = string.match(key, '}(.*)$')
  if kind == '' or kind == ':rw' or kind == ':sem' or kind == ':bar' then
    found[#found + 1] = key
  end
end
found[2] = #found - 2
return found
