-- Takes back a claim: out of the queue, or with its grant. At a barrier, copies of it that come later
-- are refused.
--
-- KEYS  1 record, 2 queue, 3 who waits, 4 grants by end, 5 limit that was set, 6 claims taken back
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

-- include pool-common

local WITHDRAWN = 60000000 -- for how long it is known, in microseconds

local member = me .. '.' .. ARGV[3]
local r = resource(1, member)
if not r then
  return {-1}
end
guard(r, false)
dropThoseOver(r)
local grant = r.grants[member]
if grant then
  takeBack(r, member, grant.permits)
elseif r.arrival and call('ZSCORE', r.queue, member) then
  r.wishes[member] = call('HGET', r.waiting, member)
  unqueue(r, {member})
end
admit(r)
save(r)
if r.isBarrier then
  call('ZREMRANGEBYSCORE', KEYS[6], '-inf', integer(now))
  redis.pcall('ZADD', KEYS[6], integer(now + WITHDRAWN), member) -- refused if the memory is full
  call('PEXPIRE', KEYS[6], WITHDRAWN / 1000)
end
tell(r)
return {1, r.isBarrier and grant and grant.token or 0}
