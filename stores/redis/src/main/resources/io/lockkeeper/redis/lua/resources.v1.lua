-- Lists the records of a namespace that are in use, or its cells, by the index: those whose names begin
-- with a prefix, in the order of the index.
--
-- KEYS  1 the index, see index
-- ARGV  1 where to begin, 2 where to end, as ZRANGE BYLEX has it
--       3 how many names to look at
--       4 r for records, c for cells
-- Returns
--       {1, last, how many, name...}   the last name that was looked at; empty if that was all
--       {0}                            some may be missing in the index
-- What is gone is taken out of the index. Nothing else changes.

local call = redis.call
local index = KEYS[1]
if not call('ZSCORE', index, '*') then
  return {0}
end
-- The fields of which one says that there is something to list.
local FIELDS = ARGV[4] == 'r'
  and {[''] = {'o', 'n', 'u'}, [':rw'] = {'o', 'n', 'u'}, [':sem'] = {'o', 'n', 'u'}, [':bar'] = {'o', 'n', 'u'}}
  or {[':ctr'] = {'c'}, [':val'] = {'c'}, [':lat'] = {'c'}}
local namespace = string.match(index, '^(.*)names$')
local page = call('ZRANGE', index, ARGV[1], ARGV[2], 'BYLEX', 'LIMIT', 0, ARGV[3])
local found = {1, #page == tonumber(ARGV[3]) and page[#page] or '', 0}
for _, name in ipairs(page) do
  local fields = FIELDS[string.match(name, '}(.*)$')]
  if fields then
    local h = redis.pcall('HMGET', namespace .. name, 'v', unpack(fields))
    if h.err and not string.find(h.err, 'WRONGTYPE', 1, true) then
      error(h.err, 0)
    end
    if not h.err and (h[2] or h[3] or h[4]) then
      found[#found + 1] = name
    elseif not h.err and not h[1] and call('EXISTS', namespace .. name) == 0 then
      redis.pcall('ZREM', index, name)
    end
  end
end
found[3] = #found - 3
return found
