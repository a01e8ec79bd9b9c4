-- Ends a grant and lets in whom that makes room for. Costs the same however many grants there are.
--
-- KEYS  1 record, 2 queue, 3 who waits, 4 grants by end, 5 limit that was set; or record and grants by
--       end
-- ARGV  1 client id
--       2 limits, see settle
--       3 the owner's client id
--       4 the grant's number
-- Returns
--       {1}   the grant was current
--       {0}   it was not
--       {-1}  the record is not one of ours

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include pool-common

local owner = ARGV[3]
local member = owner .. '.' .. ARGV[4]
local r = resource(1, member)
if not r then
  return {-1}
end
guard(r, false)
heard(r)
dropThoseOver(r)
local grant = r.grants[member]
if grant then
  takeBack(r, member, grant.permits)
end
admit(r)
save(r)
if grant and owner ~= me then
  tellRevoked(r, owner)
end
tell(r)
return {grant and 1 or 0}
