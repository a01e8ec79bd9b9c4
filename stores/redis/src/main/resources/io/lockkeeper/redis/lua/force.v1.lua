-- Ends the grants of a resource, of all holders or only a certain one, and admits the next. Grants
-- with a larger token than is meant stay: they were made later.
--
-- KEYS  1 record, 2 queue, 3 waiters, 4 grants beside; or fewer, see common
-- ARGV  1 client id
--       2 limits, see settle
--       3 the largest first token of a grant that is meant
--       4 the client id of the one whose grant is meant, or nothing for all of them; then
--       5 the grant's number
-- Returns
--       {1}   a grant that was meant was current
--       {0}   none was
--       {-1}  the record is not one of ours

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include common

local r = resource(1)
if not r then
  return {-1}
elseif not r.queue and not r.isLock then
  return tryAgain()
end
local meant, largest = ARGV[4] and ARGV[4] .. '.' .. ARGV[5], tonumber(ARGV[3])
local revoked, isTold, wasHeld, kept = {}, {}, false, 0
local members = readAll(r)
guard(r, false) -- nobody must be admitted beside a holder that was forgotten
for _, member in ipairs(members) do
  local grant = r.grants[member]
  local isCurrent = grant and grant.ends > now
  if isCurrent and (grant.first > largest or meant and meant ~= member) then
    kept = kept + (member == r.inside and 0 or grant.permits)
  else
    takeBack(r, member)
    wasHeld = wasHeld or isCurrent
    if isCurrent and not isTold[grant.client] then
      isTold[grant.client] = true
      revoked[#revoked + 1] = grant.client
    end
  end
end
local unknown = r.put['?.0'] and r.inside ~= '?.0' and r.grants['?.0'] -- given just now
r.beside = kept + (unknown and unknown.permits or 0)
admit(r)
save(r)
for _, client in ipairs(revoked) do
  publish(r, client, 'R', '')
end
tell(r)
return {wasHeld and 1 or 0}
