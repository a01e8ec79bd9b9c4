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
--       Numbers alone may come as one text, with blanks between: an array costs the server more.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]
local leaseMillis, permits, overtakes, label = ARGV[4], tonumber(ARGV[6]), ARGV[8], ARGV[9]
local member = me .. '.' .. ARGV[3]
local h = redis.pcall('HMGET', KEYS[1], 'v', 'l', 'u', 't', 'n', 'k', 'e', 'd', 'w', member)
local how, tombstone = string.match(limits, '^(%a) %S+ %S+ (%d+)')

-- plain case: begin
local ending = string.sub(KEYS[1], -4)
if h[1] == '1' and not (h[6] or h[10]) and (how == 'o' or how == 'g' and not h[9]) and ending ~= ':bar'
    and (h[3] and h[2] and h[7] and h[8] and h[7] - h[8] <= now
      or not (h[3] or h[2] or h[5] or h[7] or h[8])) then
  -- The record is in use and the clock has not gone back since, or it is out of use.
  local limit = h[2] or ending == ':sem' and call('GET', KEYS[5]) or ARGV[7]
  local out = (h[3] or 0) + permits
  local first = h[3] and call('ZRANGE', KEYS[4], '0', '0', 'WITHSCORES')[2]
  local isOver = first and first + 0 <= now
  -- Formatting is slow, so the two texts that the time came in are put together where they can be.
  local nowText = #time[2] == 6 and time[1] .. time[2] or string.format('%.0f', now)
  if not (isOver or h[5]) and (first or not h[3]) and out <= limit + 0 then
    -- Nobody waits, no grant is over and there is room, so nothing else is concerned.
    local ends, token, span = now + leaseMillis * 1000, now, leaseMillis .. '000'
    local tokenText = nowText
    if h[4] and h[4] + 0 >= now then
      token = h[4] + 1
      tokenText = string.format('%.0f', token)
    end
    local isLongest = not h[7] or h[7] + 0 <= ends
    local endsText = string.format('%.0f', ends)
    local millis = isLongest and (math.ceil((math.max(ends, token) - now) / 1000) + tombstone) .. ''
    if isLongest then
      call('PEXPIRE', KEYS[1], millis)
    end
    call('HSET', KEYS[1], 'l', limit, 'u', h[3] and out or ARGV[6], 't', tokenText,
      'e', isLongest and endsText or h[7], 'd', (h[8] or 0) + 0 > span + 0 and h[8] or span, member,
      ARGV[6] .. ' ' .. tokenText .. ' ' .. endsText .. ' 1 ' .. span .. '.' .. time[2] .. '|' .. label)
    call('ZADD', KEYS[4], endsText, member)
    if isLongest then
      call('PEXPIRE', KEYS[4], millis)
    end
    return '2 ' .. tokenText .. ' ' .. nowText .. ' ' .. span .. ' 1'
  elseif first and not isOver and not h[5] and ARGV[5] == '0' then
    return 0
  end
  local heartbeat = string.match(limits, '^%a %S+ %S+ %d+ (%d+)') * 1000
  local mustWait = first and not isOver and ARGV[5] == '1' and overtakes == '0'
    and h[7] + tombstone * 1000 >= now + 3 * heartbeat
  if mustWait and not h[5] then
    mustWait = out > limit + 0
  elseif mustWait and h[3] + 0 < limit + 0 then
    -- No waiter can be admitted if the first of them lives and asks for more than is left, though
    -- not for more than there is.
    local head = call('ZRANGE', KEYS[2], '0', '0')[1] or ''
    local texts = call('HMGET', KEYS[3], string.match(head, '^[^.]*'), head)
    local ends = (string.match(texts[1] or '', '^%d+') or 0) + 0
    local wish = (string.match(texts[2] or '', '^%d+') or 0) + 0
    mustWait = ends > now and ends <= now + heartbeat and wish > limit - h[3] and wish <= limit + 0
  end
  if mustWait then
    -- The claim is put into the queue and changes nothing else, as enqueue does it.
    local arrival = h[5] and h[5] + 1 > now and string.format('%.0f', h[5] + 1) or nowText
    if call('ZADD', KEYS[2], 'NX', arrival, member) == 1 then
      local claims = string.match(call('HGET', KEYS[3], me) or '', ' (%d+)$') or 0
      call('HSET', KEYS[3], me, string.format('%.0f %d', now + heartbeat, claims + 1),
        member, ARGV[6] .. ' ' .. leaseMillis .. ' 0 ' .. label)
      if not h[5] or math.floor(h[5] / heartbeat) ~= math.floor(now / heartbeat)
          or call('ZCARD', KEYS[2]) == 1 then
        call('PEXPIRE', KEYS[2], heartbeat * 3 / 1000)
        call('PEXPIRE', KEYS[3], heartbeat * 3 / 1000)
      end
      call('HSET', KEYS[1], 'n', arrival)
      return string.format('3 %s %.0f %s', nowText, first - now, arrival)
    end
  end
end
-- plain case: end

-- include pool-common

-- Whether a live claim waits that must be admitted before.
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

local r = resource(1, member, h)
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
