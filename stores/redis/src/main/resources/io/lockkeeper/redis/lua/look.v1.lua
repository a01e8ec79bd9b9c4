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

local answers = {}

-- plain case: begin
local how, heartbeat = string.match(limits, '^(%a) %S+ %S+ %d+ (%d+)')
heartbeat = heartbeat * 1000

-- Answers for a claim that waits while another client holds the resource and may keep it, and keeps it
-- alive. Returns nil if anything else is to be done. The queue is kept once for each heartbeat, for three.
local function place(i)
  local queue, waiting = KEYS[3 * i - 1], KEYS[3 * i]
  local h = redis.pcall('HMGET', KEYS[3 * i - 2], 'v', 'o', 'x', 'm', 'n')
  if h.err or h[1] ~= '1' or not h[2] or h[2] == me or not h[5] or h[3] + 0 <= now then
    return nil
  end
  local marks, span = string.match(h[4] or '', '^(%a*)(%d*)')
  if span ~= '' and h[3] - span > now then
    return nil -- the clock went back, or may have
  end
  local member = me .. '.' .. ARGV[2 + i]
  local arrival = call('ZSCORE', queue, member)
  local head = arrival and string.match(call('ZRANGE', queue, 0, 0)[1] or '', '^[^.]+')
  if not head or head == me then
    return nil
  end
  local texts = call('HMGET', waiting, me, head)
  local ends, claims = string.match(texts[1] or '', '^(%d+) (%d+)$')
  local headEnds = (string.match(texts[2] or '', '^%d+') or 0) + 0
  local most = now + heartbeat
  if not ends or headEnds <= now or headEnds > most then
    return nil -- the first in the queue is dead, and this claim may be the next
  end
  -- The first write is one that a full memory does not refuse.
  call('PEXPIRE', waiting, heartbeat * 3 / 1000)
  if math.floor(ends / heartbeat) ~= math.floor(most / heartbeat) then
    call('PEXPIRE', queue, heartbeat * 3 / 1000)
  end
  call('HSET', waiting, me, string.format('%.0f %s', most, claims))
  return {3, now, h[3] - now, tonumber(arrival)}
end

if how == 'o' or how == 'g' then
  local isAll = KEYS[3]
  for i = 1, #KEYS / 3 do
    answers[i] = place(i) or false
    isAll = isAll and answers[i]
  end
  if isAll then
    return answers
  end
end
-- plain case: end

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

for i = 1, math.ceil(#KEYS / 3) do
  answers[i] = answers[i] or look(i)
  if not answers[i] then
    return tryAgain()
  end
end
return answers
