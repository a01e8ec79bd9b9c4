-- Enters records into the index of their namespace, so that a listing need not look at all keys of
-- the server. It takes the place of the line "-- include index", where call and time are given.
--
-- The index is the sorted set <ns>:names. Its members are the keys of records and cells without
-- "<ns>:", all with the score 0, so in the order of their bytes; and "*" as long as none is missing.
-- It has what has begun during the last day at least, also what is gone already: a client that
-- enters something now and then looks at others, and so does a listing. A cluster has none, as it
-- would be in one slot.

-- Enters a record that begins. Not the first write of a script, which a full memory may refuse.
local function enter(key)
  local namespace, name = string.match(key, '^([^{]*)(.*)$')
  local index = namespace .. 'names'
  call('ZADD', index, 0, name)
  call('PEXPIRE', index, 86400000)
  if time[2] % 8 ~= 0 then
    return
  end
  -- One of eight looks at 24 others, so of those that are gone there are never many.
  local at = time[2] % math.max(1, call('ZCARD', index) - 23)
  for _, other in ipairs(call('ZRANGE', index, at, at + 23)) do
    if other ~= '*' and call('EXISTS', namespace .. other) == 0 then
      call('ZREM', index, other)
    end
  end
end
