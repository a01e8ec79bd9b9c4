-- Says where claims stand, and keeps those of the caller that wait alive.
--
-- KEYS  for each claim: record, queue, who waits, grants by end, limit that was set
-- ARGV  1 client id
--       2 limits, see settle
--       then for each claim: its number
-- Returns for each claim one of
--       {2, token, now, remaining time, confirmed}      it is granted
--       {3, now, time until a grant ends, arrival}      it waits
--       {0}                                             neither
--       {-1}                                            the record is not one of ours
--       Times are in microseconds of this server's clock.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include pool-common

local function look(i)
  local member = me .. '.' .. ARGV[2 + i]
  local r = resource(i, member)
  if not r then
    return {-1}
  end
  guard(r, false)
  if isDoubtful(r, r.grants[member]) then
    takeBack(r, member, r.grants[member].permits) -- the caller does not know of it
  end
  heard(r)
  needQueue(r)
  dropThoseOver(r)
  admit(r)
  save(r)
  tell(r, member)
  if r.grants[member] then
    return addGrant({2}, r.grants[member])
  end
  local arrival = r.arrival and call('ZSCORE', r.queue, member)
  if not arrival then
    return {0}
  end
  return addPlace({3}, r, arrival)
end

local answers = {}
for i = 1, #KEYS / KEYS_EACH do
  answers[i] = look(i)
end
return answers
