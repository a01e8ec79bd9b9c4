-- Asks for a share of a resource.
--
-- KEYS  1 record, 2 queue, 3 who waits, 4 grants by end, 5 limit that was set, 6 claims taken back
-- ARGV  1 client id
--       2 limits, see settle
--       3 the claim's number
--       4 lease in ms
--       5 1 to wait in the queue, 0 not to
--       6 permits
--       7 the limit, if no other is in force
--       8 1 to overtake, 0 not to
--       9 the label
-- Returns
--       {2, token, now, remaining time, confirmed}      granted, now or before
--       {3, now, time until a grant ends, arrival}      it waits
--       {0}                                             it cannot be granted now, or was taken back
--       {-1}                                            the record is not one of ours
--       Times are in microseconds of this server's clock.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include pool-common

local leaseMillis, permits, overtakes, label = ARGV[4], tonumber(ARGV[6]), ARGV[8], ARGV[9]
local member = me .. '.' .. ARGV[3]

-- Whether a live claim waits that must be let in before.
local function isBehind(r)
  if r.arrival then
    for other, client in eachWaiting(r) do
      if isAlive(r, client) and readWish(r, other) <= r.limit then
        return true
      end
    end
  end
  return false
end

local function mayEnter(r)
  if r.isBarrier then
    return admitGroups(r, 1)
  end
  return permits <= r.limit - r.out and (overtakes == '1' or not isBehind(r))
end

-- Puts the claim into the queue and returns when it arrived.
local function enqueue(r)
  local p = pulse(r, me) or {claims = 0}
  local arrival = math.max((r.arrival or 0) + 1, now)
  call('ZADD', r.queue, arrival, member)
  p.ends, p.claims = now + heartbeat, p.claims + 1
  r.pulses[me] = p
  call('HSET', r.waiting, me, pulseText(p), member,
    ARGV[6] .. ' ' .. leaseMillis .. ' ' .. overtakes .. ' ' .. label)
  keepQueue(r)
  r.arrival = arrival
  r.overtakers = r.overtakers + overtakes
  return arrival
end

local r = resource(1, member)
if not r then
  return {-1}
end
if r.isBarrier and now < tonumber(call('ZSCORE', KEYS[6], member) or 0) then
  return {0} -- a copy that was late
end
guard(r, true)
if isDoubtful(r, r.grants[member]) then
  takeBack(r, member, r.grants[member].permits) -- the caller does not know of it
end
local mine = r.arrival and pulse(r, me)
if mine then
  mine.ends = now + heartbeat -- written below
end
dropThoseOver(r)
admit(r)
tidy(r)
if not r.limit then
  local own = r.kind == 'sem' and call('GET', r.ownLimit)
  r.limit = tonumber(own or ARGV[7])
end
local arrival, isAdded
if r.grants[member] then
  prolong(r, member, leaseMillis)
else
  arrival = r.arrival and call('ZSCORE', r.queue, member)
  if not arrival then
    if mayEnter(r) then
      give(r, member, permits, leaseMillis * 1000, true, label)
    elseif ARGV[5] == '1' then
      arrival, isAdded = enqueue(r), true
    end
  end
end
if not isAdded then
  heard(r) -- otherwise the first write must be one that a full memory refuses
end
needQueue(r)
save(r)
tell(r, member)
if r.grants[member] then
  return informed(r.key, addGrant({2}, r.grants[member]))
elseif arrival then
  return informed(r.key, addPlace({3}, r, arrival))
end
return informed(r.key, {0})
