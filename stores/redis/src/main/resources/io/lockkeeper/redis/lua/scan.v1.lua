-- Looks for the records or cells of a namespace on this server among all its keys, some at a time.
--
-- KEYS  1 any key of this server: it says which server of a cluster is asked
-- ARGV  1 a pattern of all keys of records and cells
--       2 where to go on: 0 at first, then what the answer before said
--       3 about how many keys to look at
--       4 the index into which to enter them, or empty; see index
--       5 r for records, c for cells; both are entered; n for records of any namespace
-- Returns
--       {where to go on, how many, key...}   "0" to go on if that was all

local call = redis.call
local index = ARGV[4]
local KINDS = {[''] = 'r', [':rw'] = 'r', [':sem'] = 'r', [':bar'] = 'r', [':ctr'] = 'c', [':val'] = 'c',
  [':lat'] = 'c'}
local answer = call('SCAN', ARGV[2], 'MATCH', ARGV[1], 'COUNT', ARGV[3])
local found = {answer[1], 0}
for _, key in ipairs(answer[2]) do
  local kind = KINDS[string.match(key, '}(.*)$')]
  if kind == ARGV[5] then
    found[#found + 1] = key
  elseif kind == 'r' and ARGV[5] == 'n' then
    -- Others may have such keys too, also keys that this account may not read.
    if type(redis.pcall('HGET', key, 'v')) == 'string' then
      found[#found + 1] = key
    end
  end
  if kind and index ~= '' then
    call('ZADD', index, 0, string.match(key, '{.*$'))
  end
end
if index ~= '' then
  if answer[1] == '0' then
    call('ZADD', index, 0, '*') -- what began meanwhile has entered itself
  end
  call('PEXPIRE', index, 86400000)
end
found[2] = #found - 2
return found
