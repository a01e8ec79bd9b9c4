-- Takes back a claim: out of the queue, out of a run, or with the grant if it is the run's last one.
--
-- KEYS  1 record, 2 queue, 3 who waits; or the record only
-- ARGV  1 client id
--       2 limits, see settle
--       3 the claim's number
-- Returns
--       {1}   it is neither granted nor waiting now
--       {-1}  the record is not one of ours

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include common

local claim = ARGV[3]
local r = resource(1)
if not r then
  return {-1}
end
guard(r, false)
admitIfDue(r)
if isTorn(r) and not covers(r, claim) then
  return tryAgain()
end

local member = me .. '.' .. claim
if r.arrival and r.queue and call('ZREM', r.queue, member) == 1 then
  local fields = {member}
  leave(r, me, 1, fields)
  deleteWaiting(r, fields)
  r.others = nil
elseif covers(r, claim) then
  local left = {}
  for other in string.gmatch(r.run, '[^,]+') do
    if other ~= claim then
      left[#left + 1] = other
    end
  end
  if #left == 0 then
    admit(r)
  else
    -- A full memory does not refuse the first of these writes, and then not the second.
    r.run = table.concat(left, ',')
    call('PEXPIRE', r.key, keeping(r))
    call('HSET', r.key, 'r', r.run)
  end
end
tell(r)
return {1}
