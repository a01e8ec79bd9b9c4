-- Says where a client stands with resources, and keeps its waiting claims alive.
--
-- KEYS  for each resource: record, queue, who waits; or of one resource the record only
-- ARGV  1 client id
--       2 limits, see settle
--       then for each resource: the number of the client's first waiting claim
-- Returns for each resource one of
--       {2, grant, run, first token, last token, now, remaining time, others wait, confirmed}
--                                the client holds it
--       {3, now, remaining time of the holder, arrival}   the claim waits
--       {0}                      neither
--       {-1}                     the record is not one of ours
--       Times are in microseconds of this server's clock.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include common

-- Whether this is the first live claim of the queue.
local function isNext(r, wanted)
  for member, client in eachWaiting(r) do
    if isAlive(r, client) then
      return member == wanted
    end
  end
  return false
end

-- Notes that somebody waits where the record does not say so, because it was lost while the queue
-- was not.
local function repair(r, member)
  local arrival = call('ZSCORE', r.queue, member)
  if arrival then
    r.arrival = math.max(tonumber(arrival), now)
    if not r.isNew then
      call('PEXPIRE', r.queue, heartbeat * 3 / 1000)
      call('HSET', r.key, 'n', r.arrival)
    end
  end
end

local function look(i)
  local r = resource(3 * i - 2)
  if not r then
    return {-1}
  end
  local member = me .. '.' .. ARGV[2 + i]
  if r.queue and not r.arrival and r.owner ~= me then
    repair(r, member)
  end
  guard(r, r.arrival)
  heard(r)
  admitIfDue(r)
  if r.owner == me and not r.isDoubtful then
    return addGrant({2}, r)
  elseif isTorn(r) then
    return nil
  end
  tell(r)
  local arrival = r.arrival and call('ZSCORE', r.queue, member)
  if not arrival then
    return {0}
  end
  if isNext(r, member) then
    tellWanted(r)
  end
  return addPlace({3}, r, arrival)
end

local answers = {}
for i = 1, math.ceil(#KEYS / 3) do
  answers[i] = look(i)
  if not answers[i] then
    return tryAgain()
  end
end
return answers
