-- Takes back a claim: out of the queue, out of a run, or with its grant if no other claim has it. At a
-- barrier, copies of it that come later are refused.
--
-- KEYS  1 record, 2 queue, 3 waiters, 4 grants beside, 5 claims taken back; or fewer, see common
-- ARGV  1 client id
--       2 limits, see settle
--       3 the claim's number
-- Returns
--       {1, token}  it is neither granted nor waiting now. The token is that of its grant if it had
--                   passed a barrier, else 0
--       {-1}        the record is not one of ours

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include common

local WITHDRAWN = 60000000 -- for how long it is known, in microseconds

local claim, member = ARGV[3], me .. '.' .. ARGV[3]
local r = resource(1, member)
if not r then
  return {-1}
end
guard(r, false)
dropThoseOver(r)
local mine = covering(r, claim)
if not r.queue and not r.isLock or isTorn(r) and not mine then
  return tryAgain()
end
local token = 0
if mine then
  local grant, left = r.grants[mine], {}
  for other in string.gmatch(grant.run, '[^,]+') do
    if other ~= claim then
      left[#left + 1] = other
    end
  end
  if #left == 0 then
    token = r.isBarrier and grant.first or 0
    takeBack(r, mine)
  else
    grant.run = table.concat(left, ',')
    r.put[mine], r.isRenewal = true, true
  end
elseif r.arrival and call('ZSCORE', r.queue, member) then
  r.wishes[member] = call('HGET', r.waiting, member)
  unqueue(r, {member})
end
admit(r)
save(r)
if r.isBarrier then
  call('ZREMRANGEBYSCORE', KEYS[5], '-inf', integer(now))
  redis.pcall('ZADD', KEYS[5], integer(now + WITHDRAWN), member) -- refused if the memory is full
  call('PEXPIRE', KEYS[5], WITHDRAWN / 1000)
end
tell(r)
return {1, token}
