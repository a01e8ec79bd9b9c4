-- Ends the grant of a resource, of any holder or only a certain one, and admits the next claim. A
-- grant with a larger token than is meant stays: it was made later.
--
-- KEYS  1 record, 2 queue, 3 who waits; or the record only
-- ARGV  1 client id
--       2 limits, see settle
--       3 the largest first token of a grant that is meant
--       4 the client id of the one whose grant is meant, or nothing for any holder; then
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
end
local isMeant = (r.first or 0) <= tonumber(ARGV[3])
  and (not ARGV[4] or r.owner == ARGV[4] and r.grant == ARGV[5])
local wasHeld = r.owner and not isOver(r) and isMeant
local revoked = wasHeld and channel(r, r.owner)
guard(r, false) -- nobody must be admitted beside a holder that was forgotten
if wasHeld or isDue(r) then
  admit(r)
end
if revoked then
  redis.pcall('PUBLISH', revoked, 'R|' .. name(r))
end
tell(r)
return {wasHeld and 1 or 0}
