-- Says where claims stand, and keeps those of the caller that wait alive.
--
-- KEYS  for each claim: record, queue, who waits, grants by end, limit that was set
-- ARGV  1 client id
--       2 limits, see settle
--       then for each claim: its number
-- Returns for each claim one of
--       {2, token, now, remaining time, confirmed}      it is granted
--       {3, now, time until a grant ends, arrival}      it waits
--       {0}                                             neither
--       {-1}                                            the record is not one of ours
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
local function place(i)
  local key, queue, waiting = KEYS[5 * i - 4], KEYS[5 * i - 3], KEYS[5 * i - 2]
  local member = me .. '.' .. ARGV[2 + i]
  local h = redis.pcall('HMGET', key, 'v', 'l', 'u', 'n', 'k', 'e', 'd', 'w', member)
  if h.err or h[1] ~= '1' or not (h[2] and h[3] and h[4] and h[6] and h[7]) or h[5] or h[9]
      or how == 'g' and h[8] or string.sub(key, -4) == ':bar' or h[3] + 0 < h[2] + 0
      or h[6] - h[7] > now or h[6] + tombstone * 1000 < now + 3 * heartbeat then
    return nil
  end
  local first = call('ZRANGE', KEYS[5 * i - 1], 0, 0, 'WITHSCORES')[2]
  local arrival = first and first + 0 > now and call('ZSCORE', queue, member)
  local ends, claims =
    string.match(arrival and call('HGET', waiting, me) or '', '^(%d+) (%d+)$')
  if not ends then
    return nil
  end
  local most = now + heartbeat
  -- The first write is one that a full memory does not refuse.
  call('PEXPIRE', waiting, heartbeat * 3 / 1000)
  if math.floor(ends / heartbeat) ~= math.floor(most / heartbeat) then
    call('PEXPIRE', queue, heartbeat * 3 / 1000)
  end
  call('HSET', waiting, me, string.format('%.0f %s', most, claims))
  return {3, now, first - now, tonumber(arrival)}
end

if how == 'o' or how == 'g' then
  local isAll = true
  for i = 1, #KEYS / 5 do
    answers[i] = place(i) or false
    isAll = isAll and answers[i]
  end
  if isAll then
    return answers
  end
end
-- plain case: end

-- include pool-common

local function look(i)
  local member = me .. '.' .. ARGV[2 + i]
  local r = resource(i, member)
  if not r then
    return {-1}
  end
  guard(r, false)
  if isDoubtful(r, r.grants[member]) then
    takeBack(r, member, r.grants[member].permits) -- the caller does not know of it
  end
  heard(r)
  needQueue(r)
  dropThoseOver(r)
  admit(r)
  save(r)
  tell(r, member)
  if r.grants[member] then
    return addGrant({2}, r.grants[member])
  end
  local arrival = r.arrival and call('ZSCORE', r.queue, member)
  if not arrival then
    return {0}
  end
  return addPlace({3}, r, arrival)
end

for i = 1, #KEYS / KEYS_EACH do
  answers[i] = answers[i] or look(i)
end
return answers
