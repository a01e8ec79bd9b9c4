-- Ends the grants of a resource, of all holders or only a certain one, and admits the next. Grants
-- with a larger token than is meant stay: they were made later.
--
-- KEYS  1 record, 2 queue, 3 who waits, 4 grants by end, 5 limit that was set
-- ARGV  1 client id
--       2 limits, see settle
--       3 the largest token of a grant that is meant
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

-- include pool-common

local r = resource(1, '.')
if not r then
  return {-1}
end
local meant, largest = ARGV[4] and ARGV[4] .. '.' .. ARGV[5], tonumber(ARGV[3])
local revoked, isTold, wasHeld = {}, {}, false
guard(r, false) -- nobody must be admitted beside a holder that was forgotten
local unknown = r.grants['?.0'] -- given just now
r.out = unknown and unknown.permits or 0
for _, field in ipairs(call('HKEYS', r.key)) do
  local client = string.match(field, '^([^.]+)%.')
  if client then
    local grant = readGrant(call('HGET', r.key, field))
    local isCurrent = grant and grant.ends > now
    if isCurrent and (grant.token > largest or meant and meant ~= field) then
      r.out = r.out + grant.permits
      r.firstEnd = math.min(r.firstEnd or grant.ends, grant.ends)
    else
      takeBack(r, field, 0)
      wasHeld = wasHeld or isCurrent
      if isCurrent and not isTold[client] then
        isTold[client] = true
        revoked[#revoked + 1] = client
      end
    end
  end
end
admit(r)
save(r)
for _, client in ipairs(revoked) do
  tellRevoked(r, client)
end
tell(r)
return {wasHeld and 1 or 0}
