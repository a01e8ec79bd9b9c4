-- Ends a grant and admits the claims that it makes room for. Costs the same however many grants
-- there are.
--
-- KEYS  1 record, 2 queue, 3 who waits, 4 grants by end, 5 limit that was set; or record and grants by
--       end
-- ARGV  1 client id
--       2 limits, see settle
--       3 the owner's client id
--       4 the grant's number
-- Returns
--       {1}   the grant was current
--       {0}   it was not
--       {-1}  the record is not one of ours
--       Numbers alone may come as one text, with blanks between: an array costs the server more.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]
local owner = ARGV[3]
local member = owner .. '.' .. ARGV[4]
local h = redis.pcall('HMGET', KEYS[1], 'v', 'l', 'u', 't', 'n', 'k', 'e', 'd', 'w', member)
local how = string.sub(limits, 1, 1)

-- plain case: begin
-- It is the caller's, no grant is over, and the clock has not gone back. The first write is one that a
-- full memory does not refuse.
if h[1] == '1' and h[10] and owner == me and not h[6]
    and (how == 'o' or how == 'g' and not h[9]) and h[3] and h[7] and h[8] and h[7] - h[8] <= now then
  local byEnd = KEYS[4] or KEYS[2]
  local permits, ends = string.match(h[10], '^(%d+) %d+ (%d+) ')
  local left = permits and h[3] - permits
  local room = h[5] and h[2] and left and h[2] - left
  local head = room and room > 0 and KEYS[4] and string.sub(KEYS[1], -4) ~= ':bar'
    and (call('ZRANGE', KEYS[2], '0', '0')[1] or '')
  local isEmpty = not h[5] or head == '' and not call('HGET', KEYS[3], me)
  -- The grant that ends first must not be over; it is the caller's if no others are out.
  if left and left >= 0 and (isEmpty or head and head ~= '')
      and (left == 0 and ends or call('ZRANGE', byEnd, '0', '0', 'WITHSCORES')[2] or 0) + 0 > now then
    if isEmpty and left == 0 then
      -- Nobody waits, and nobody else holds a part of it.
      call('HDEL', KEYS[1], 'l', 'u', 'e', 'd', member, h[5] and 'n' or 'l')
      call('ZREM', byEnd, member)
      return 1
    elseif isEmpty then
      call('HDEL', KEYS[1], member, h[5] and 'n' or member)
      call('HSET', KEYS[1], 'u', left)
      call('ZREM', byEnd, member)
      return 1
    end
    -- Others wait. The first is admitted if it lives and takes all that is left; if it asks for
    -- more it waits on, and so do those behind it. The caller's own claims are kept alive, as heard
    -- does it.
    local tombstone, heartbeat, deadline = string.match(limits, '^%a %S+ %S+ (%d+) (%d+) (%d+)')
    local client, claim = string.match(head, '^([^.]+)%.(.*)$')
    local texts = call('HMGET', KEYS[3], me, client or me, head)
    local mine = string.match(texts[1] or '', '^%d+ (%d+)')
    local pulse, claims = string.match(texts[2] or '', '^(%d+) (%d+)')
    local wish, lease, label = string.match(texts[3] or '', '^(%d+) (%d+) 0 ?(.*)')
    local most = now + heartbeat * 1000
    pulse = pulse and (client == me and most or pulse + 0) or 0
    wish = wish and pulse > now and pulse <= most and wish + 0 or 0
    if head ~= member and (wish == room or wish > room and wish <= h[2] + 0) then
      if mine then
        call('PEXPIRE', KEYS[2], heartbeat * 3)
        call('PEXPIRE', KEYS[3], heartbeat * 3)
        call('HSET', KEYS[3], me, string.format('%.0f %s', most, mine))
      end
      if wish > room then
        call('HDEL', KEYS[1], member)
        call('HSET', KEYS[1], 'u', left)
        call('ZREM', byEnd, member)
        return 1
      end
      call('ZREM', KEYS[2], head)
      if claims + 0 > 1 then
        call('HSET', KEYS[3], client, string.format('%.0f %d', pulse, claims - 1))
        call('HDEL', KEYS[3], head)
      else
        call('HDEL', KEYS[3], head, client)
      end
      local span, token = math.min(deadline, lease) .. '000', math.max((h[4] or 0) + 1, now)
      -- Formatting is slow, so the two texts that the time came in are put together where they can be.
      local nowText = #time[2] == 6 and time[1] .. time[2] or string.format('%.0f', now)
      local finish, tokenText = now + span, token > now and string.format('%.0f', token) or nowText
      local finishText = string.format('%.0f', finish)
      call('HDEL', KEYS[1], member)
      if finish > h[7] + 0 then
        local millis = (math.ceil((math.max(finish, token) - now) / 1000) + tombstone) .. ''
        call('PEXPIRE', KEYS[1], millis)
        call('PEXPIRE', byEnd, millis)
        call('HSET', KEYS[1], 'e', finishText)
      end
      if span + 0 > h[8] + 0 then
        call('HSET', KEYS[1], 'd', span)
      end
      call('HSET', KEYS[1], 'u', h[2], 't', tokenText, head,
        wish .. ' ' .. tokenText .. ' ' .. finishText .. ' 0 ' .. span .. '.' .. time[2] .. '|' .. label)
      call('ZADD', byEnd, finishText, head)
      call('ZREM', byEnd, member) -- behind ZADD, so that the key does not go in between
      local namespace, name, kind = string.match(KEYS[1], '^([^{]*){([^}]*)}:(.*)$')
      redis.pcall('PUBLISH', namespace .. 'c:' .. client, 'P|' .. kind .. '|' .. nowText .. '|'
        .. claim .. ':' .. tokenText .. ':' .. span .. ':0|' .. name)
      return 1
    end
  end
end
-- plain case: end

-- include pool-common

local r = resource(1, member, h)
if not r then
  return {-1}
end
guard(r, false)
heard(r)
dropThoseOver(r)
local grant = r.grants[member]
if grant then
  takeBack(r, member, grant.permits)
end
admit(r)
save(r)
if grant and owner ~= me then
  tellRevoked(r, owner)
end
tell(r)
return {grant and 1 or 0}
