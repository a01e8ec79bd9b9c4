-- What all scripts need that know of waiting claims: the queue, who waits, and messages. It takes the
-- place of the line "-- include waiting".
--
-- It works on a table r with these fields, which the including part makes:
--   key, queue, waiting   the keys of the record, of the queue and of who waits; a call that names fewer
--                         keys has the first only
--   arrival               the last arrival; nil if nobody waits
--   pulses = {}           client id -> {ends, claims} or false, as far as read
--   wishes = {}           claim in the queue -> its entry in the hash of who waits, as far as read
-- and on these locals: call = redis.call, now, me = the calling client's id, and limits.

-- include settle

local FIRST_PAGE, PAGE = 2, 100

local function pulseText(p)
  return string.format('%.0f %d', p.ends, p.claims)
end

-- A heartbeat that ends later than one that begins now has been left behind by a clock that went
-- back, and is moved.
local function readPulse(r, client, text)
  local ends, claims = string.match(text or '', '(%d+) (%d+)')
  local p = ends and {ends = tonumber(ends), claims = tonumber(claims)} or false
  r.pulses[client] = p
  if p and p.ends > now + heartbeat then
    p.ends = now + heartbeat
    if not r.isOnlyShown then
      redis.pcall('HSET', r.waiting, client, pulseText(p)) -- refused if the memory is full
    end
  end
end

local function pulse(r, client)
  if r.pulses[client] == nil then
    readPulse(r, client, call('HGET', r.waiting, client))
  end
  return r.pulses[client]
end

local function isAlive(r, client)
  local p = pulse(r, client)
  return p and now < p.ends
end

local function keepQueue(r)
  call('PEXPIRE', r.queue, heartbeat * 3 / 1000)
  call('PEXPIRE', r.waiting, heartbeat * 3 / 1000)
end

-- Puts off the death of the caller's waiting claims, if it has any here. The first write is one that
-- a full memory does not refuse.
local function heard(r)
  local p = r.arrival and r.queue and pulse(r, me)
  if p then
    p.ends = now + heartbeat
    keepQueue(r)
    call('HSET', r.waiting, me, pulseText(p))
  end
end

-- Iterates over the queue: claim as it stands there, client id, number. A page is read together with
-- all that is known of its clients and claims. The first page is small because it mostly suffices.
local function eachWaiting(r)
  local page, at, read, wanted = {}, 0, 0, FIRST_PAGE
  local function turn()
    page = call('ZRANGE', r.queue, read, read + wanted - 1)
    at, read, wanted = 0, read + #page, PAGE
    if #page == 0 then
      return
    end
    local clients, fields = {}, {}
    for i, member in ipairs(page) do
      clients[i] = string.match(member, '^[^.]+')
      fields[2 * i - 1], fields[2 * i] = clients[i], member
    end
    local texts = call('HMGET', r.waiting, unpack(fields))
    for i, member in ipairs(page) do
      if r.pulses[clients[i]] == nil then
        readPulse(r, clients[i], texts[2 * i - 1])
      end
      r.wishes[member] = texts[2 * i]
    end
  end
  return function()
    if at == #page then
      turn()
    end
    at = at + 1
    local member = page[at]
    if member then
      local client = string.match(member, '^[^.]+')
      return member, client, string.sub(member, #client + 2)
    end
  end
end

-- Counts claims that left the queue out of their client's pulse.
local function leave(r, client, claims, fields)
  local p = pulse(r, client)
  if p and p.claims > claims then
    p.claims = p.claims - claims
    call('HSET', r.waiting, client, pulseText(p))
  elseif p then
    r.pulses[client] = false
    fields[#fields + 1] = client
  end
end

local function deleteWaiting(r, fields)
  for i = 1, #fields, PAGE do
    call('HDEL', r.waiting, unpack(fields, i, math.min(i + PAGE - 1, #fields)))
  end
end

local function channel(r, client)
  return string.match(r.key, '^[^{]*') .. 'c:' .. client
end

local function name(r)
  return string.match(r.key, '{([^}]*)')
end
