-- Ends all grants of a resource whoever holds them, and lets the next in.
--
-- KEYS  1 record, 2 queue, 3 who waits, 4 grants by end, 5 limit that was set
-- ARGV  1 client id
--       2 limits, see settle
-- Returns
--       {1}   a grant was current
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
local revoked, isTold, wasHeld = {}, {}, false
for _, field in ipairs(call('HKEYS', r.key)) do
  local client = string.match(field, '^([^.]+)%.')
  if client then
    local grant = readGrant(call('HGET', r.key, field))
    takeBack(r, field, 0)
    if grant and grant.ends > now then
      wasHeld = true
      if not isTold[client] then
        isTold[client] = true
        revoked[#revoked + 1] = client
      end
    end
  end
end
r.out, r.firstEnd = 0, nil
admit(r)
save(r)
for _, client in ipairs(revoked) do
  tellRevoked(r, client)
end
tell(r)
return {wasHeld and 1 or 0}
