-- Asks for a resource, or for some of its permits.
--
-- KEYS  1 record, 2 queue, 3 waiters, 4 grants beside, 5 limit that was set or claims taken back, as far
--       as its kind has them; or fewer, see common
-- ARGV  1 client id
--       2 limits, see settle
--       3 the claim's number
--       4 lease in ms
--       5 tokens to reserve
--       6 1 to wait in the queue, 0 not to
--       7 the label
--       then, unless it is one permit of one:
--       8 permits
--       9 the limit, if no other is in force
--       10 1 to overtake, 0 not to
-- Returns
--       {1, now, first token}    granted at once, for the whole lease; nobody waits
--       {2, grant, claims, first token, last token, now, remaining time, others wait, confirmed}
--                                granted before, or from the queue in this step
--       {3, now, time until a grant ends, arrival}   it waits
--       {0}                      it cannot be granted now, or was taken back
--       {-1}                     the record is not one of ours
--       each of them may stand in {9, ..., answer}: see greet
--       Times are in microseconds of this server's clock.
--       Numbers alone may come as one text, with blanks between: an array costs the server more.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]
local member = me .. '.' .. ARGV[3]
local h = redis.pcall('HMGET', KEYS[1], 'v', 'o', 't', 'n', 'u', 'l', 'k', 'e', 'w', member)
local how, expected, tombstone = string.match(limits, '^(%a) (%S+ %S+) (%d+)')
local kind = string.sub(KEYS[1], -4)
local isLock = string.sub(kind, -1) == '}'
local permits = ARGV[8] or '1'

local isPlain = (how == 'o' or how == 'g' and not h[9]) and kind ~= ':bar'
local isFree = isPlain and not (h[2] or h[4] or h[5])
if isFree and h[1] ~= '1' then
  -- Whether a record that isn't there may begin as a free one.
  isFree = not h[1] and call('EXISTS', KEYS[1]) == 0
  if isFree and how == 'o' then
    local mark = call('GET', string.match(KEYS[1], '^[^{]*') .. 'mark')
    isFree = mark and string.sub(mark, 1, #expected) == expected
      and string.match(mark, '^ (%d+)', #expected + 1) + 0 <= now
  end
end
local limit = isLock and '1' or h[6]
  or isFree and kind == ':sem' and KEYS[5] and call('GET', KEYS[5]) or ARGV[9] or '1'
-- Formatting is slow, so the two texts that the time came in are put together where they can be.
local nowText = #time[2] == 6 and time[1] .. time[2] or string.format('%.0f', now)

if isFree and permits + 0 <= limit + 0 and (isLock or KEYS[3]) then
  -- Nobody holds any of it, so nobody waits.
  local first, keep = now, ARGV[4] + tombstone
  if h[3] and h[3] + 0 >= now then
    first = h[3] + 1
    keep = keep + math.ceil((first - now) / 1000)
  end
  local last = first + ARGV[5] - 1
  local firstText = first > now and string.format('%.0f', first) or nowText
  call('HSET', KEYS[1], 'v', '1', 'o', member .. ' ' .. nowText .. ' ' .. ARGV[4] .. '000 ' .. permits
    .. ' ' .. firstText .. ' ' .. ARGV[5] .. (last > first and ' s|' or ' |') .. ARGV[7],
    't', last > first and last or firstText, isLock and 'v' or 'l', limit)
  call('PEXPIRE', KEYS[1], keep)
  if not h[1] and string.sub(limits, 1, 3) ~= 'g *' then
-- include index
    enter(KEYS[1])
  end
  return '1 ' .. nowText .. ' ' .. firstText
end

-- plain case: begin
local holder, since, span, held, marks =
  string.match(h[2] or '', '^(%S+) (%d+) (%d+) (%d+) %d+ %d+ (%a*)')
local needed, neededFor = string.match(h[8] or '0 0', '^(%d+) (%d+)$')
if isPlain and h[1] == '1' and needed and (h[5] or since) and (since or not h[2]) and (isLock or h[6])
    and not (h[7] or h[10]) and needed - neededFor <= now and holder ~= member
    and not (isLock and string.match(holder, '^[^.]*') == me) and (not since or since + 0 <= now) then
  -- The record is in use, the claim is not granted yet, and the clock has not gone back since.
  local first, ends = nil, since and since + span
  if h[5] then
    first = KEYS[4] and call('ZRANGE', KEYS[4], '0', '0', 'WITHSCORES')[2]
    ends = math.min(ends or first or 0, first or 0)
  end
  local isOver = ends <= now
  local room = limit - (held or 0) - (h[5] or 0)
  if not (isOver or h[4]) and permits + 0 <= room and KEYS[4] then
    -- Nobody waits, no grant is over and there is room, so nothing else is concerned.
    local lease, token, tokenText = ARGV[4] .. '000', now, nowText
    if h[3] and h[3] + 0 >= now then
      token = h[3] + 1
      tokenText = string.format('%.0f', token)
    end
    local finish = now + lease
    local finishText = string.format('%.0f', finish)
    local isLongest = finish >= needed + 0
    call('HSET', KEYS[1], 't', tokenText, 'u', (h[5] or 0) + permits,
      'e', (isLongest and finishText or needed) .. ' ' .. (neededFor + 0 > lease + 0 and neededFor or lease),
      member, nowText .. ' ' .. lease .. ' ' .. permits .. ' ' .. tokenText .. ' ' .. ARGV[5] .. ' |' .. ARGV[7])
    call('ZADD', KEYS[4], finishText, member)
    if isLongest then
      local millis = math.ceil((math.max(finish, token, since and since + span or 0) - now) / 1000)
        + tombstone .. ''
      call('PEXPIRE', KEYS[1], millis)
      call('PEXPIRE', KEYS[4], millis)
    end
    return '1 ' .. nowText .. ' ' .. tokenText
  elseif not (isOver or h[4]) and ARGV[6] == '0' then
    return 0
  end
  local heartbeat = string.match(limits, '^%a %S+ %S+ %d+ (%d+)') * 1000
  local mustWait = not isOver and KEYS[3] and ARGV[6] == '1' and ARGV[10] ~= '1'
    and math.max(needed, since and since + span or 0) + tombstone * 1000 >= now + 3 * heartbeat
  local mustTell = mustWait and isLock and string.sub(marks, 1, 1) == 's'
  if mustWait and (mustTell or h[4] and room > 0) then
    -- A holder that passes the lock on locally has to know that others wait: the first in the queue does,
    -- and lives. And no waiter can be admitted if the first of them lives and asks for more than is left,
    -- though not for more than there is.
    local head = h[4] and call('ZRANGE', KEYS[2], '0', '0')[1] or ''
    local client = string.match(head, '^[^.]*')
    local texts = call('HMGET', KEYS[3], client, head)
    local alive = (string.match(texts[1] or '', '^%d+') or 0) + 0
    local wish = (string.match(texts[2] or '', '^%d+') or 0) + 0
    mustWait = alive > now and alive <= now + heartbeat and wish > room and wish <= limit + 0
      and not (isLock and client == string.match(holder, '^[^.]*'))
  end
  if mustWait then
    -- The claim is put into the queue and changes nothing else, as enqueue does it.
    local arrival = h[4] and h[4] + 1 > now and string.format('%.0f', h[4] + 1) or nowText
    if call('ZADD', KEYS[2], 'NX', arrival, member) == 1 then
      local claims = string.match(call('HGET', KEYS[3], me) or '', ' (%d+)$') or 0
      call('HSET', KEYS[3], me, string.format('%.0f %d', now + heartbeat, claims + 1),
        member, permits .. ' ' .. ARGV[4] .. ' ' .. ARGV[5] .. ' 0 ' .. ARGV[7])
      if not h[4] or math.floor(h[4] / heartbeat) ~= math.floor(now / heartbeat)
          or call('ZCARD', KEYS[2]) == 1 then
        call('PEXPIRE', KEYS[2], heartbeat * 3 / 1000)
        call('PEXPIRE', KEYS[3], heartbeat * 3 / 1000)
      end
      call('HSET', KEYS[1], 'n', arrival)
      return string.format('3 %s %.0f %s', nowText, ends - now, arrival)
    end
  end
end
-- plain case: end

-- include common

local claim, wish = ARGV[3],
  {permits = permits + 0, tokens = ARGV[5] + 0, label = ARGV[7]}

-- Whether a live claim waits that must be admitted before.
local function isBehind(r)
  if r.arrival then
    for other, client in eachWaiting(r) do
      if isAlive(r, client) and readWish(r, other).permits <= r.limit then
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
  return wish.permits <= r.limit - out(r) and (ARGV[10] == '1' or not isBehind(r))
end

local r = resource(1, member, h)
if not r then
  return {-1}
end
if not r.queue and not r.isLock then
  return tryAgain()
elseif r.isBarrier and now < tonumber(call('ZSCORE', KEYS[5], member) or 0) then
  return {0} -- a copy that was late
end
guard(r, true)
local mine = covering(r, claim)
if mine and isDoubtful(r, r.grants[mine]) then
  takeBack(r, mine) -- the caller does not know of it
end
local p = r.arrival and r.queue and pulse(r, me)
if p then
  p.ends = now + heartbeat -- written below
end
dropThoseOver(r)
admit(r)
tidy(r)
if not r.limit then
  local own = r.kind == 'sem' and call('GET', r.ownLimit)
  r.limit = tonumber(own or ARGV[9] or 1)
end
mine = covering(r, claim)
local answer, arrival, isAdded
if mine then
  prolong(r, mine, ARGV[4])
elseif isTorn(r) then
  return tryAgain()
else
  arrival = r.arrival and call('ZSCORE', r.queue, member)
  if not arrival and mayEnter(r) then
    give(r, member, wish, ARGV[4] * 1000, false)
    answer = {1, now, r.grants[member].first}
  elseif not arrival and ARGV[6] == '1' and r.queue then
    arrival, isAdded = enqueue(r, claim, permits, ARGV[4], ARGV[5], ARGV[10] or '0', ARGV[7]), true
  elseif not arrival and ARGV[6] == '1' then
    arrival = now -- it does not wait: its next look says so, and it asks anew
  end
end
if not isAdded then
  heard(r) -- otherwise the first write must be one that a full memory refuses
end
needQueue(r)
save(r)
tell(r, mine)
if mine then
  answer = addGrant({2}, r, mine)
elseif not answer then
  answer = arrival and addPlace({3}, r, arrival) or {0}
end
return informed(r.key, answer)
