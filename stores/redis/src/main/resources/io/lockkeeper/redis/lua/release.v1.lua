-- Ends a grant, and admits the claims that it makes room for. May keep a lock closed for a while before
-- that, or put a further claim into the queue.
--
-- KEYS  1 record, 2 queue, 3 waiters, 4 grants beside; or fewer, see common
-- ARGV  1 client id
--       2 limits, see settle
--       3 the grant's number
--       4 the largest token of a lock that was used, or the one before the first; -1 if that is not known.
--         It tells the grant from an earlier one of the same number
--       5 nothing more, or one of
--         q   then the further claim's number, its lease in ms, its tokens to reserve, its label
--         r   then for how long the lock is kept closed, in ms
--         o   then the owner's client id
-- Returns
--       {1}   released; the caller has no grant now
--       {2, released, next, [grant, claims, first token, last token, now, remaining time, others wait,
--        confirmed], place, [now, time until a grant ends, arrival]}
--             released: 1 if the grant was current, or the lock is kept closed after it. next: 1 if this
--             client has the lock now, and only then the grant follows. place: 1 if the further claim
--             waits, and only then its place follows.
--       {-1}  the record is not one of ours
--       Times are in microseconds of this server's clock.
--       Numbers alone may come as one text, with blanks between: an array costs the server more.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]
local member = (ARGV[5] == 'o' and ARGV[6] or me) .. '.' .. ARGV[3]
local h = redis.pcall('HMGET', KEYS[1], 'v', 'o', 't', 'n', 'u', 'l', 'k', 'e', 'w', member)
local how = string.sub(limits, 1, 1)
local isLock = string.sub(KEYS[1], -1) == '}'
local holder, since, span, held, first, tokens =
  string.match(h[2] or '', '^(%S+) (%d+) (%d+) (%d+) (%d+) (%d+)')

local isPlain = (how == 'o' or how == 'g' and not h[9]) and h[1] == '1' and not ARGV[5]
  and (not isLock or ARGV[4] == '-1' or ARGV[4] + 0 >= (first or now) - 1)
if isPlain and holder == member and not (h[4] or h[5] or h[8]) and since + span > now then
  -- It is the caller's, nobody waits, and nobody else holds a part of it. The first write is one that a
  -- full memory does not refuse.
  call('HDEL', KEYS[1], 'o', isLock and 'o' or 'l')
  if isLock and h[3] + 0 > now then
    -- Only where tokens have run ahead of the clock does it matter what becomes of the unused ones.
    call('HSET', KEYS[1], 't', math.min(math.max(ARGV[4], first - 1), h[3]))
  end
  return 1
end

-- plain case: begin
local needed, neededFor = string.match(h[8] or '0 0', '^(%d+) (%d+)$')
local isInside = holder == member
if isPlain and (isInside or h[10] and h[5]) and (h[6] or isLock) and needed and not h[7] and h[3]
    and (since or not h[2]) and (not since or since + 0 <= now and since + span > now)
    and needed - neededFor <= now and (KEYS[3] or not h[4]) and string.sub(KEYS[1], -4) ~= ':bar' then
  -- It is the caller's, no grant is over, and the clock has not gone back.
  local byEnd = not isLock and (KEYS[4] or KEYS[2]) or nil
  local mine = isInside and held or string.match(h[10], '^%d+ %d+ (%d+) ')
  local beside = (h[5] or 0) - (isInside and 0 or mine or 0)
  local left = beside + (since and not isInside and held or 0)
  local limit = isLock and 1 or h[6] + 0
  local room = limit - left
  local isSound = mine and beside >= 0
    and (not h[5] or byEnd and (call('ZRANGE', byEnd, '0', '0', 'WITHSCORES')[2] or 0) + 0 > now)
  local page = isSound and h[4] and room > 0 and call('ZRANGE', KEYS[2], '0', isLock and '1' or '0')
  local isEmpty = isSound and (not h[4] or page and #page == 0)
  local client, claim, wish, lease, size, label, pulse, claims
  if page and page[1] then
    -- The first is admitted if it lives and takes all that is left; if it asks for more it waits on, and
    -- so do those behind it. If it is for a lock, it is another client's than the caller, and than the
    -- waiter behind it, which lives.
    client, claim = string.match(page[1], '^([^.]+)%.(.*)$')
    local second = string.match(page[2] or '', '^[^.]+')
    local texts = call('HMGET', KEYS[3], client or me, page[1], second or me)
    local heartbeat = string.match(limits, '^%a %S+ %S+ %d+ (%d+)')
    local most = now + heartbeat * 1000
    local after = second and string.match(texts[3] or '', '^%d+') or most
    pulse, claims = string.match(texts[1] or '', '^(%d+) (%d+)')
    wish, lease, size, label = string.match(texts[2] or '', '^(%d+) (%d+) (%d+) 0 ?(.*)')
    wish = wish and pulse and pulse + 0 > now and pulse + 0 <= most and page[1] ~= member and wish + 0 or 0
    if isLock and (client == me or client == second or after + 0 <= now or after + 0 > most) then
      wish = 0
    end
  end
  if isEmpty or wish and (wish == room or wish > room and wish <= limit) then
    -- The first write is one that a full memory does not refuse. The grant beside goes last, so that their
    -- key does not go in between.
    local isAdmitted = not isEmpty and wish == room
    if isAdmitted then
      call('ZREM', KEYS[2], page[1])
    end
    local field = isInside and 'o' or member
    if isEmpty and (h[4] or beside == 0) then
      call('HDEL', KEYS[1], field, 'n', left == 0 and 'l' or 'n', beside == 0 and 'u' or 'n',
        beside == 0 and 'e' or 'n')
    elseif beside == 0 and not isInside then
      call('HDEL', KEYS[1], field, 'u')
    elseif not (isAdmitted and isInside and left == 0) then
      call('HDEL', KEYS[1], field)
    end
    local used = isLock and h[3] + 0 > now and math.min(math.max(ARGV[4], first - 1), h[3]) or h[3]
    if isAdmitted then
      local tombstone, deadline = string.match(limits, '^%a %S+ %S+ (%d+) %d+ (%d+)')
      local token, given = math.max(used + 1, now), math.min(deadline, lease) .. '000'
      local last, finish = token + size - 1, now + given
      -- Formatting is slow, so the two texts that the time came in are put together where they can be.
      local nowText = #time[2] == 6 and time[1] .. time[2] or string.format('%.0f', now)
      local tokenText = token > now and string.format('%.0f', token) or nowText
      local text = nowText .. ' ' .. given .. ' ' .. wish .. ' ' .. tokenText .. ' ' .. size
        .. (last > token and ' su|' or ' u|') .. label
      if claims + 0 > 1 then
        call('HSET', KEYS[3], client, string.format('%s %d', pulse, claims - 1))
        call('HDEL', KEYS[3], page[1])
      else
        call('HDEL', KEYS[3], page[1], client)
      end
      local millis = math.ceil((math.max(finish, last, needed, since and since + span or 0) - now) / 1000)
        + tombstone .. ''
      call('PEXPIRE', KEYS[1], millis)
      if left == 0 then
        call('HSET', KEYS[1], 'o', page[1] .. ' ' .. text, 't', last > token and last or tokenText)
      else
        local finishText = string.format('%.0f', finish)
        call('HSET', KEYS[1], 't', tokenText, 'u', beside + wish,
          'e', (finish > needed + 0 and finishText or needed) .. ' '
            .. (given + 0 > neededFor + 0 and given or neededFor), page[1], text)
        call('ZADD', byEnd, finishText, page[1])
        call('PEXPIRE', byEnd, millis)
      end
      local namespace, name, kind = string.match(KEYS[1], '^([^{]*){([^}]*)}:?(.*)$')
      redis.pcall('PUBLISH', namespace .. 'c:' .. client, 'G|' .. kind .. '|' .. nowText .. '|' .. claim
        .. ':' .. tokenText .. ':' .. size .. ':' .. given .. (isLock and page[2] and ':1:0:|' or ':0:0:|')
        .. name)
    elseif not isInside and beside > 0 then
      call('HSET', KEYS[1], 'u', beside)
    elseif isLock and h[3] + 0 > now then
      call('HSET', KEYS[1], 't', used)
    end
    if not isInside then
      call('ZREM', byEnd, member)
    end
    return '1'
  end
end
-- plain case: end

-- include common

local further, closedMillis = ARGV[5] == 'q' and ARGV[6], ARGV[5] == 'r' and ARGV[6]
local r = resource(1, member, h)
if not r then
  return {-1}
elseif r.beside > 0 and not r.byEnd or further and not r.queue then
  return tryAgain()
end
guard(r, further)
dropThoseOver(r)
local grant, closed = r.grants[member], '~' .. member
local meant = grant or closedMillis and r.grants[closed]
local released = meant and (not r.isLock or ARGV[4] == '-1' or ARGV[4] + 0 >= meant.first - 1)
if released and closedMillis and grant then
  -- A client that does not exist has it, which nobody can renew or release.
  r.grants[member], r.put[member], r.inside, r.grants[closed] = nil, nil, closed, grant
  grant.client, grant.run, grant.hasSpare, grant.isUnconfirmed = '~' .. me, '', nil, nil
  setEnd(r, closed, math.max(closedMillis * 1000, r.safe and r.safe - now or 0))
  r.isRenewal = true
elseif released and grant then
  if r.isLock and r.last > now then
    r.last = math.min(math.max(ARGV[4], grant.first - 1), r.last)
  end
  takeBack(r, member)
end
local arrival
if further and not covering(r, further) then
  arrival = r.arrival and call('ZSCORE', r.queue, me .. '.' .. further)
  if released and not arrival then
    call('HDEL', r.key, 'o') -- the first write is one that a full memory does not refuse
  end
  if arrival then
    heard(r)
  else
    arrival = enqueue(r, further, '1', ARGV[7], ARGV[8], '0', ARGV[9])
  end
end
admit(r)
save(r)

local next = r.isLock and r.inside and insideOf(r).client == me and r.inside
if released and grant and grant.client ~= me and not closedMillis then
  publish(r, grant.client, 'R', '')
end
tell(r, next)
local isPlaced = arrival and not covering(r, further)
if released and not next and not isPlaced then
  return {1}
end
local answer = {2, released and 1 or 0, next and 1 or 0}
if next then
  addGrant(answer, r, next)
end
answer[#answer + 1] = isPlaced and 1 or 0
return isPlaced and addPlace(answer, r, arrival) or answer
