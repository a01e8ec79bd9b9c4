-- Ends a grant and keeps the resource closed for a while. Then the next claim is admitted, as after
-- the end of a lease.
--
-- KEYS  1 record, 2 queue, 3 who waits; or the record only
-- ARGV  1 client id
--       2 limits, see settle
--       3 the grant's number
--       4 the largest token that was used, or the one before the first; -1 if that is not known. It
--         tells the grant from an earlier one of the same number
--       5 for how long, in ms
-- Returns
--       {2, released, next, [grant, run, first token, last token, now, remaining time, others wait,
--        confirmed], 0}
--             released: 1 if the grant was current, or the resource rests after it. next: 1 if this client has a grant now, and only
--             then the grant follows.
--       {-1}  the record is not one of ours
--       Times are in microseconds of this server's clock.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include common

local grant, used, restMillis = ARGV[3], ARGV[4], ARGV[5]
local r = resource(1)
if not r then
  return {-1}
end
guard(r, false)
local isMeant = r.owner and r.grant == grant and not isOver(r)
  and (used == '-1' or used + 0 >= r.first - 1)
if isMeant and r.owner == me then
  -- A client that does not exist has it, which nobody can renew or release.
  r.owner, r.run, r.ends, r.marks = '~' .. me, '', now + restMillis * 1000, ''
  r.note = restMillis .. '000.' .. time[2]
  if r.safe and r.ends < r.safe then
    r.ends, r.note = r.safe, ''
  end
  writeEnd(r)
  call('HSET', r.key, 'o', r.owner, 'r', '')
else
  admitIfDue(r)
end
local released = isMeant and r.owner == '~' .. me

local answer = {2, released and 1 or 0, 0}
if r.owner == me then
  answer[3] = 1
  addGrant(answer, r)
else
  tell(r)
end
answer[#answer + 1] = 0
return answer
