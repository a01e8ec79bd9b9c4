-- Asks for a resource.
--
-- KEYS  1 record, 2 queue, 3 who waits; or the record only
-- ARGV  1 client id
--       2 limits, see settle
--       3 the claim's number
--       4 lease in ms
--       5 tokens to reserve
--       6 1 to wait in the queue, 0 not to
--       7 the label
-- Returns
--       {1, now, first token}    granted at once, for the whole lease; nobody waits
--       {2, grant, run, first token, last token, now, remaining time, others wait, confirmed}
--                                granted before, or from the queue in this step
--       {3, now, remaining time of the holder, arrival}   it waits
--       {0}                      somebody holds it
--       {-1}                     the record is not one of ours
--       each of them may stand in {9, ..., answer}: see greet
--       Times are in microseconds of this server's clock.
--       Numbers alone may come as one text, with blanks between: an array costs the server more.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]
local h = call('HMGET', KEYS[1], 'v', 'o', 'g', 'r', 'x', 'f', 'm', 't', 'n')
local how, expected, tombstone = string.match(limits, '^(%a) (%S+ %S+) (%d+)')

local isFree = not h[2] and not h[9] and (how == 'o' or how == 'g')
if isFree and h[1] ~= '1' then
  -- Whether a record that isn't there may begin as a free one.
  isFree = not h[1] and call('EXISTS', KEYS[1]) == 0
  if isFree and how == 'o' then
    local mark = call('GET', string.match(KEYS[1], '^[^{]*') .. 'mark')
    isFree = mark and string.sub(mark, 1, #expected) == expected
      and string.match(mark, '^ (%d+)', #expected + 1) + 0 <= now
  end
end
-- Formatting is slow, so the two texts that the time came in are put together where they can be.
local nowText = #time[2] == 6 and time[1] .. time[2] or string.format('%.0f', now)

if isFree then
  -- Nobody holds it, so nobody waits.
  local first, keep = now, ARGV[4] + tombstone
  if h[8] and h[8] + 0 >= now then
    first = h[8] + 1
    keep = keep + math.ceil((first - now) / 1000)
  end
  local last = first + ARGV[5] - 1
  local firstText = first > now and string.format('%.0f', first) or nowText
  call('HSET', KEYS[1], 'v', '1', 'o', me, 'g', ARGV[3], 'x', now + ARGV[4] * 1000, 'f', firstText,
    't', last > first and last or firstText, 'l', ARGV[7],
    'm', (last > first and 's' or '') .. ARGV[4] .. '000.' .. time[2])
  call('PEXPIRE', KEYS[1], keep)
  if not h[1] and string.sub(limits, 1, 3) ~= 'g *' then
-- include index
    enter(KEYS[1])
  end
  return '1 ' .. nowText .. ' ' .. firstText
end

-- plain case: begin
local heartbeat = string.match(limits, '^%a %S+ %S+ %d+ (%d+)') * 1000

local span = string.match(h[7] or '', '^%a*(%d+)%.')
if h[1] == '1' and (how == 'o' or how == 'g') and h[2] and h[2] ~= me and h[5] + 0 > now
    and not (span and h[5] - span > now) then
  -- Another client holds it, and the clock has not gone back since.
  if ARGV[6] == '0' and not h[9] then
    return 0
  end
  local mayWait = KEYS[2] and ARGV[6] == '1' and string.sub(h[2], 1, 1) ~= '~'
  if mayWait and string.find(h[7] or '', 's', 1, true) then
    -- A holder that passes the lock on locally has to know that others wait: the first in the queue
    -- does, and lives.
    local first = h[9] and string.match(call('ZRANGE', KEYS[2], '0', '0')[1] or '', '^[^.]+')
    local ends = first and first ~= h[2] and string.match(call('HGET', KEYS[3], first) or '', '^%d+')
    mayWait = ends and ends + 0 > now and ends + 0 <= now + heartbeat
  end
  -- The claim is put into the queue and changes nothing else, as enqueue does it.
  local member = mayWait and me .. '.' .. ARGV[3]
  local arrival = mayWait and h[9] and h[9] + 1 > now and string.format('%.0f', h[9] + 1) or nowText
  if mayWait and call('ZADD', KEYS[2], 'NX', arrival, member) == 1 then
    local claims = string.match(call('HGET', KEYS[3], me) or '', ' (%d+)$') or 0
    call('HSET', KEYS[3], me, string.format('%.0f %d', now + heartbeat, claims + 1),
      member, ARGV[5] .. ' ' .. ARGV[4] .. ' ' .. ARGV[7])
    if not h[9] or math.floor(h[9] / heartbeat) ~= math.floor(now / heartbeat)
        or call('ZCARD', KEYS[2]) == 1 then
      call('PEXPIRE', KEYS[2], heartbeat * 3 / 1000)
      call('PEXPIRE', KEYS[3], heartbeat * 3 / 1000)
    end
    call('HSET', KEYS[1], 'n', arrival)
    return string.format('3 %s %.0f %s', nowText, h[5] - now, arrival)
  end
end
-- plain case: end

-- include common

local claim, leaseMillis, tokens, queue = ARGV[3], ARGV[4], ARGV[5], ARGV[6] == '1'
local label = ARGV[7]
local r = resource(1, h)
if not r then
  return {-1}
end
guard(r, true)
if r.isDoubtful and covers(r, claim) then
  hold(r) -- the caller does not know of this grant, and others may have got one since
end
if not queue or covers(r, claim) or isDue(r) then
  heard(r) -- otherwise enqueue does it
end
admitIfDue(r)
if isTorn(r) and not covers(r, claim) then
  return tryAgain()
end

if not r.owner then
  setGrant(r, me, {claim}, tonumber(tokens), leaseMillis * 1000, '', label)
  return informed(r.key, {1, now, r.first})
end
if covers(r, claim) then
  if not r.letIn then
    prolong(r, leaseMillis)
  end
  return informed(r.key, addGrant({2}, r))
end
tell(r)
local arrival
if queue and not r.queue then
  arrival = now -- it does not wait: its next look says so, and it asks anew
elseif queue then
  arrival = enqueue(r, claim, tokens, leaseMillis, label)
else
  arrival = r.arrival and call('ZSCORE', r.queue, me .. '.' .. claim)
end
if not arrival then
  return informed(r.key, {0})
end
return informed(r.key, addPlace({3}, r, arrival))
