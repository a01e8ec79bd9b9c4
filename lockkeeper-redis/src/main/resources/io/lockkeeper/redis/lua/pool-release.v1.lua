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
local owner = ARGV[3]
local member = owner .. '.' .. ARGV[4]
local h = redis.pcall('HMGET', KEYS[1], 'v', 'l', 'u', 't', 'n', 'k', 'e', 'd', 'w', member)
local how = string.sub(limits, 1, 1)

-- plain case: begin
-- It is the caller's, nobody waits, and the clock has not gone back: nothing else is concerned. The
-- first write is one that a full memory does not refuse.
if h[1] == '1' and h[10] and owner == me and not (h[5] or h[6])
    and (how == 'o' or how == 'g' and not h[9]) and h[3] and h[7] and h[8] and h[7] - h[8] <= now then
  local byEnd = KEYS[4] or KEYS[2]
  local permits, ends = string.match(h[10], '^(%d+) %d+ (%d+) ')
  local left = permits and h[3] - permits
  if left == 0 and ends + 0 > now then
    call('HDEL', KEYS[1], 'l', 'u', 'e', 'd', member)
    call('ZREM', byEnd, member)
    return {1}
  elseif left and left > 0 and (call('ZRANGE', byEnd, 0, 0, 'WITHSCORES')[2] or 0) + 0 > now then
    call('HDEL', KEYS[1], member)
    call('HSET', KEYS[1], 'u', left)
    call('ZREM', byEnd, member)
    return {1}
  end
end
-- plain case: end

-- include pool-common

local r = resource(1, member, h)
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
