-- Ends a grant, lets the next claim in, and may put a further claim into the queue before that.
--
-- KEYS  1 record, 2 queue, 3 who waits; or the record only
-- ARGV  1 client id
--       2 limits, see settle
--       3 the grant's number
--       4 the largest token that was used, or the one before the first; -1 if that is not known. It
--         tells the grant from an earlier one of the same number
--       5 the further claim's number, or empty; then
--       6 its lease in ms
--       7 its tokens to reserve
--       8 its label
-- Returns
--       {1}   released; nobody waits
--       {2, released, next, [grant, run, first token, last token, now, remaining time, others wait,
--        confirmed], place, [now, remaining time of the holder, arrival]}
--             released: 1 if the grant was current. next: 1 if this client has a grant now, and only
--             then the grant follows. place: 1 if the further claim waits, and only then its place
--             follows.
--       {-1}  the record is not one of ours
--       Times are in microseconds of this server's clock.
--       Numbers alone may come as one text, with blanks between: an array costs the server more.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]
local h = call('HMGET', KEYS[1], 'v', 'o', 'g', 'r', 'x', 'f', 'm', 't', 'n')

local how = string.sub(limits, 1, 1)

if (how == 'o' or how == 'g') and h[1] == '1' and h[2] == me and h[3] == ARGV[3] and ARGV[5] == ''
    and h[5] + 0 > now and (ARGV[4] == '-1' or ARGV[4] + 0 >= h[6] - 1) then
  -- It is the caller's, and nothing else is asked for. The first write is one that a full memory does
  -- not refuse.
  local used = math.min(math.max(ARGV[4], h[6] - 1), h[8])
  if not h[9] then
    -- Nobody waits.
    call('HDEL', KEYS[1], 'o', 'g', 'r', 'x', 'f', 'm', 'l')
    if h[8] + 0 > now then
      -- Only where tokens have run ahead of the clock does it matter what becomes of the unused ones.
      call('HSET', KEYS[1], 't', used)
    end
    return 1
  end
  -- plain case: begin
  -- One claim of another client is admitted if it is plain that it is its turn: it is alive, and so
  -- is the waiter behind it, which is of another client. As admit does it.
  local tombstone, heartbeat, deadline = string.match(limits, '^%a %S+ %S+ (%d+) (%d+) (%d+)')
  local page = KEYS[2] and call('ZRANGE', KEYS[2], '0', '1') or {}
  local client, claim = string.match(page[1] or '', '^([^.]+)%.(.*)$')
  local second = string.match(page[2] or '', '^[^.]+')
  if client and client ~= me and client ~= second then
    local texts = call('HMGET', KEYS[3], client, page[1], second or client)
    local ends, claims = string.match(texts[1] or '', '^(%d+) (%d+)')
    local after = string.match(texts[3] or '', '^%d+') or 0
    local tokens, lease, label = string.match(texts[2] or '', '^(%d+) (%d+) ?(.*)')
    local most = now + heartbeat * 1000
    if tokens and ends and ends + 0 > now and ends + 0 <= most and after + 0 > now
        and after + 0 <= most then
      local first, span = math.max(used + 1, now), math.min(deadline, lease) .. '000'
      local last, finish = first + tokens - 1, now + span
      -- Formatting is slow, so the two texts that the time came in are put together where they can be.
      local nowText = #time[2] == 6 and time[1] .. time[2] or string.format('%.0f', now)
      local firstText = first > now and string.format('%.0f', first) or nowText
      local lastText = last > first and string.format('%.0f', last) or firstText
      call('ZREMRANGEBYRANK', KEYS[2], '0', '0')
      if claims + 0 > 1 then
        call('HSET', KEYS[3], client, ends .. ' ' .. claims - 1)
        call('HDEL', KEYS[3], page[1])
      else
        call('HDEL', KEYS[3], page[1], client)
      end
      call('HSET', KEYS[1], 'o', client, 'g', claim, 'x', finish, 'f', firstText,
        't', lastText, 'm', (last > first and 'us' or 'u') .. span .. '.' .. time[2], 'l', label)
      if h[4] ~= '' then
        call('HSET', KEYS[1], 'r', '')
      end
      call('PEXPIRE', KEYS[1], math.ceil((math.max(finish, last) - now) / 1000) + tombstone)
      local namespace, name = string.match(KEYS[1], '^([^{]*){([^}]*)')
      redis.pcall('PUBLISH', namespace .. 'c:' .. client,
        'G|' .. claim .. '|' .. claim .. '|' .. firstText .. '|' .. lastText .. '|' .. nowText .. '|'
          .. span .. (second and '|1|0|' or '|0|0|') .. name)
      return '2 1 0 0'
    end
  end
  -- plain case: end
end

-- include common

local grant, used, further = ARGV[3], ARGV[4], ARGV[5]
local r = resource(1, h)
if not r then
  return {-1}
end

if further ~= '' and not r.queue then
  return tryAgain()
end
guard(r, further ~= '')
local released = r.owner == me and r.grant == grant and not isOver(r)
  and (used == '-1' or used + 0 >= r.first - 1)
local mustAdmit = released or not r.owner or isOver(r)
local arrival
if released then
  r.last = math.min(math.max(used, r.first - 1), r.last)
end
if further ~= '' and (mustAdmit or not covers(r, further)) then
  if mustAdmit and r.owner then
    -- Nobody holds it now. The first write is one that a full memory does not refuse.
    r.owner = false
    call('HDEL', r.key, 'o')
  end
  arrival = enqueue(r, further, ARGV[7], ARGV[6], ARGV[8])
end
if mustAdmit then
  admit(r)
end

local answer = {2, released and 1 or 0, 0}
if r.owner == me then
  answer[3] = 1
  addGrant(answer, r)
else
  tell(r)
end
if arrival and not covers(r, further) then
  answer[#answer + 1] = 1
  return addPlace(answer, r, arrival)
end
answer[#answer + 1] = 0
return answer
