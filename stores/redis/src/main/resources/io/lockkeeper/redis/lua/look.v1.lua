-- Says where a client stands with resources, and keeps its waiting claims alive.
--
-- KEYS  for each claim: record, queue, waiters, and the further ones of its kind; or of one claim fewer,
--       see common
-- ARGV  1 client id
--       2 limits, see settle
--       then for each claim: its number; for a lock, that of the client's first waiting claim
-- Returns for each claim one of
--       {2, grant, claims, first token, last token, now, remaining time, others wait, confirmed}
--                                it is granted, or the client holds the lock
--       {3, now, time until a grant ends, arrival}   the claim waits
--       {0}                      neither
--       {-1}                     the record is not one of ours
--       Times are in microseconds of this server's clock.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

local answers = {}

-- plain case: begin
local how, tombstone, heartbeat = string.match(limits, '^(%a) %S+ %S+ (%d+) (%d+)')
heartbeat = heartbeat * 1000

-- Answers for a claim that waits while all there is is out, and keeps it alive. Returns nil if anything
-- else is to be done. The queue is kept once for each heartbeat, for three.
local function place(key, queue, waiting, byEnd, isLock, member)
  local h = redis.pcall('HMGET', key, 'v', 'o', 't', 'n', 'u', 'l', 'k', 'e', 'w', member)
  if h.err or h[1] ~= '1' or not (h[4] and (h[2] or h[5]) and (h[6] or isLock)) or h[7] or h[10]
      or how == 'g' and h[9] or string.sub(key, -4) == ':bar' then
    return nil
  end
  local holder, since, span, held = string.match(h[2] or '', '^(%S+) (%d+) (%d+) (%d+) ')
  local needed, neededFor = string.match(h[8] or '0 0', '^(%d+) (%d+)$')
  local ends = since and since + span or math.huge
  local first = h[5] and (call('ZRANGE', byEnd, 0, 0, 'WITHSCORES')[2] or 0)
  if not needed or needed - neededFor > now or h[2] and (not since or since + 0 > now)
      or math.max(needed, since and ends or 0) + tombstone * 1000 < now + 3 * heartbeat
      or (held or 0) + (h[5] or 0) < (isLock and 1 or h[6] + 0) then
    return nil -- the clock went back, or something is free
  end
  ends = math.min(ends, first or math.huge)
  local arrival = ends > now and holder ~= member and call('ZSCORE', queue, member)
  local client = arrival and isLock and string.match(holder, '^[^.]*')
  local head = client and string.match(call('ZRANGE', queue, 0, 0)[1] or me, '^[^.]+')
  if not arrival or client == me or head == me then
    return nil
  end
  local texts = call('HMGET', waiting, me, head or me)
  local mine, claims = string.match(texts[1] or '', '^(%d+) (%d+)$')
  local headEnds = head and (string.match(texts[2] or '', '^%d+') or 0) + 0
  local most = now + heartbeat
  if not mine or head and (headEnds <= now or headEnds > most) then
    return nil -- the first in the queue is dead, and this claim may be the next
  end
  -- The first write is one that a full memory does not refuse.
  call('PEXPIRE', waiting, heartbeat * 3 / 1000)
  if math.floor(mine / heartbeat) ~= math.floor(most / heartbeat) then
    call('PEXPIRE', queue, heartbeat * 3 / 1000)
  end
  call('HSET', waiting, me, string.format('%.0f %s', most, claims))
  return {3, now, ends - now, tonumber(arrival)}
end

if (how == 'o' or how == 'g') and KEYS[3] then
  local i, at, isAll = 1, 1, true
  while KEYS[at] do
    local kind = string.match(KEYS[at], '}:?(%a*)$')
    answers[i] = place(KEYS[at], KEYS[at + 1], KEYS[at + 2], KEYS[at + 3], kind == '', me .. '.' .. ARGV[2 + i])
      or false
    isAll = isAll and answers[i]
    i, at = i + 1, at + (kind == '' and 3 or kind == 'rw' and 4 or 5)
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
      keepQueue(r)
    end
  end
end

local function look(i, at)
  local member = me .. '.' .. ARGV[2 + i]
  local r = resource(at, member)
  if not r then
    return {-1}
  elseif not r.queue and not r.isLock then
    return nil
  end
  local holder = insideOf(r)
  if r.isLock and r.queue and not r.arrival and not (holder and holder.client == me) then
    repair(r, member)
  end
  local function mine()
    holder = insideOf(r)
    return r.isLock and holder and holder.client == me and r.inside or r.grants[member] and member
  end
  guard(r, r.arrival)
  if mine() and isDoubtful(r, r.grants[mine()]) then
    takeBack(r, mine()) -- the caller does not know of it
  end
  heard(r)
  needQueue(r)
  dropThoseOver(r)
  admit(r)
  save(r)
  tell(r, mine())
  if mine() then
    return addGrant({2}, r, mine())
  elseif isTorn(r) then
    return nil
  end
  local arrival = r.arrival and call('ZSCORE', r.queue, member)
  if not arrival then
    return {0}
  end
  if r.isLock and isNext(r, member) and holder and holder.hasSpare then
    publish(r, holder.client, 'W', '')
  end
  return addPlace({3}, r, arrival)
end

for i, at in eachResource() do
  answers[i] = answers[i] or look(i, at)
  if not answers[i] then
    return tryAgain()
  end
end
return answers
