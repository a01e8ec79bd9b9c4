-- What the scripts for resources need: locks, read-write locks, semaphores, barriers. It takes the place
-- of the line "-- include common" in each of them, behind the plain case.
--
-- Keys per resource, all with the resource's name as their hash tag; <kind> is :rw, :sem or :bar, and
-- nothing for a lock, which has the first three:
--   <ns>:{<name>}<kind>    hash, the record:
--     v  1, the version of all this
--     o  the grant inside the record: "<client id>.<number> <grant>"
--     t  the largest token given so far
--     n  the last arrival; without it nobody waits
--     u  how many permits the grants beside have, in all; without it there are none
--     l  the limit: how many permits there are; without it the resource is out of use. A lock has one
--        permit, and no limit
--     k  how many of the waiting claims overtake; without it none does
--     e  "<end> <span>": until when the record is needed at least for the grants beside and the queue;
--        and the longest time for which it was when something was written, so if it is needed for longer
--        than that now, the clock went back
--     w  if there are gaps in this server's memory until some time: that time, if the record has been
--        judged accordingly. A grant that ends at just that time may be one that is long over
--     <client id>.<number>   a grant beside
--   <ns>:{<name>}<kind>:q  sorted set, the queue: <client id>.<claim>, by arrival
--   <ns>:{<name>}<kind>:w  hash, the waiters:
--     <client id>          "<end of its heartbeat> <number of its claims in the queue>"
--     <client id>.<claim>  "<permits> <lease in ms> <tokens> <1 if it overtakes, else 0> <label>"
--   <ns>:{<name>}<kind>:e  sorted set, the grants beside: <client id>.<number>, by end
--   <ns>:{<name>}:sem:l    string, the limit that a semaphore was given; without a time to live
--   <ns>:{<name>}:bar:x    sorted set, claims that were taken back at a barrier: <client id>.<claim>,
--                          by when that is forgotten
-- A grant is "<since> <span> <permits> <first token> <tokens> <marks><claims>|<label>". It ends the span
-- behind the time when that was written; if that is ahead the clock went back, and the grant begins anew.
-- The marks are "s" if the block has tokens to spare for passing on inside the client, and "u" as long as
-- the grant is unconfirmed. Its claims, separated by commas, follow if it is not only that of its number.
-- While a lock rests, its client is "~" and the id of its last holder. A grant that is made while there is
-- no other stands inside the record, so that a lock needs no set.
--
-- A call about one resource may name the record only, or the record and the grants beside: a cluster that
-- is moving a slot runs nothing that names a key which isn't there. Then r.queue is nil, nobody is
-- admitted, and what cannot be done so is answered TRYAGAIN.
--
-- Times are microseconds of this server's clock unless they say "ms". Arrivals are such times too,
-- moved up where necessary so that each is larger than the one before.
--
-- What a script changes of the record and the grants it notes in r; save(r) writes it. Queue and waiting
-- claims are written at once.

-- include settle

local FIRST_PAGE, PAGE, MAX_RUN = 2, 100, 32
local FIELDS = {'v', 'o', 't', 'n', 'u', 'l', 'k', 'e', 'w'}
local KEYS_EACH = {[''] = 3, rw = 4, sem = 5, bar = 5}

local function integer(number)
  return string.format('%.0f', number)
end

local function kindOf(key)
  return string.match(key, '}:?(%a*)$')
end

-- Iterates over the resources of KEYS: number, and where its keys begin.
local function eachResource()
  local i, following = 0, 1
  return function()
    local at = following
    if KEYS[at] then
      i, following = i + 1, at + KEYS_EACH[kindOf(KEYS[at])]
      return i, at
    end
  end
end

local function readGrant(member, text)
  local since, span, permits, first, tokens, marks, run, label =
    string.match(text or '', '^(%d+) (%d+) (%d+) (%d+) (%d+) (%a*)([%d,]*)|(.*)$')
  if not since then
    return nil
  end
  local client, number = string.match(member, '^([^.]+)%.(.*)$')
  local isMoved = since + 0 > now
  since = math.min(since, now)
  return {client = client, number = number, since = since, span = span + 0, ends = since + span,
    permits = permits + 0, first = first + 0, tokens = tokens + 0, run = run, label = label,
    hasSpare = string.find(marks, 's', 1, true), isUnconfirmed = string.find(marks, 'u', 1, true),
    isMoved = isMoved}
end

local function grantText(grant)
  return string.format('%.0f %.0f %.0f %.0f %.0f %s%s%s|', grant.since, grant.span, grant.permits,
    grant.first, grant.tokens, grant.hasSpare and 's' or '', grant.isUnconfirmed and 'u' or '',
    grant.run) .. grant.label
end

-- The resource whose keys begin at KEYS[at], with the grant of this member if there is one; nil if the
-- record is not one of ours. h is what HMGET says of it, if that has been read already.
local function resource(at, member, h)
  local key = KEYS[at]
  h = h or redis.pcall('HMGET', key, 'v', 'o', 't', 'n', 'u', 'l', 'k', 'e', 'w', member or 'v')
  if h.err and not string.find(h.err, 'WRONGTYPE', 1, true) then
    error(h.err, 0)
  end
  if h.err or h[1] ~= '1' and (h[1] or call('EXISTS', key) == 1) then
    return nil
  end
  local kind, isWhole = kindOf(key), #KEYS > 2
  local needed, neededFor = string.match(h[8] or '', '^(%d+) (%d+)$')
  local r = {
    key = key, queue = isWhole and KEYS[at + 1] or nil, waiting = KEYS[at + 2],
    byEnd = KEYS[isWhole and at + 3 or 2], ownLimit = KEYS[at + 4],
    kind = kind, isLock = kind == '', isBarrier = kind == 'bar', isNew = not h[1], was = h,
    last = tonumber(h[3]) or 0, arrival = tonumber(h[4]), beside = tonumber(h[5]) or 0,
    limit = kind == '' and 1 or tonumber(h[6]), overtakers = tonumber(h[7]) or 0,
    needed = tonumber(needed) or 0, neededFor = tonumber(neededFor) or 0, judged = tonumber(h[9]),
    safe = nil, -- until when there are gaps in this server's memory, if there are
    inside = nil, -- the client id and number of the grant inside the record
    isRenewal = false, -- whether a grant is renewed, or changed
    isLonger = false, -- whether the record may be needed for longer than before
    grants = {}, -- the same of a grant -> grant, as far as known
    put = {}, -- grants that are to be written
    drop = {}, -- grants beside that are to be deleted
    letIn = {}, -- grants that this step made from the queue, in order
    others = nil, -- whether others wait behind those, 1 or 0, where that is known
    pulses = {}, -- client id -> {ends, claims} or false, as far as read
    wishes = {}, -- claim in the queue -> its entry in the hash of the waiters, as far as read
  }
  if r.isLock then
    r.byEnd = nil
  end
  if h[2] then
    local text
    r.inside, text = string.match(h[2], '^([^ .]+%.[^ ]+) (.*)$')
    local grant = r.inside and readGrant(r.inside, text)
    if not grant then
      return nil
    end
    r.grants[r.inside] = grant
    if grant.isMoved then
      r.put[r.inside], r.isRenewal = true, true
    end
  end
  if h[10] and member and member ~= r.inside then
    r.grants[member] = readGrant(member, h[10])
  end
  return r
end

-- The grant inside the record, or nil.
local function insideOf(r)
  return r.inside and r.grants[r.inside]
end

local function out(r)
  return r.beside + (r.inside and insideOf(r).permits or 0)
end

local function tryAgain()
  return redis.error_reply('TRYAGAIN the slot of this resource is being moved')
end

-- Whether there are grants beside, or a queue, that this call cannot reach.
local function isTorn(r)
  return not r.queue and (r.arrival and r.isLock or r.beside > 0 and not r.byEnd)
end

-- Calls a command with a key and many arguments, in pages.
local function callPaged(command, key, arguments)
  for from = 1, #arguments, PAGE do
    local reply = redis.pcall(command, key, unpack(arguments, from, math.min(from + PAGE - 1, #arguments)))
    if type(reply) == 'table' and reply.err then
      error('calling ' .. command .. ': ' .. reply.err, 0)
    end
  end
end

-- The queue, and the heartbeats of its clients.

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

-- What a claim wants whose entry has been read.
local function readWish(r, member)
  local permits, lease, tokens, overtakes, label =
    string.match(r.wishes[member] or '', '^(%d+) (%d+) (%d+) (%d) ?(.*)$')
  return {permits = tonumber(permits or 1), lease = (lease or 1000) * 1000, tokens = tonumber(tokens or 1),
    overtakes = overtakes == '1', label = label or ''}
end

-- Whether live claims of other clients than this one wait for a lock, 1 or 0.
local function othersWait(r, client)
  if r.isLock and r.arrival and not r.queue then
    return 1
  elseif r.isLock and r.arrival then
    for _, other in eachWaiting(r) do
      if other ~= client and isAlive(r, other) then
        return 1
      end
    end
  end
  return 0
end

-- Takes claims out of the queue whose wishes have been read.
local function unqueue(r, members)
  local leavers, fields = {}, {}
  for i, member in ipairs(members) do
    local client = string.match(member, '^[^.]+')
    leavers[client] = (leavers[client] or 0) + 1
    fields[i] = member
    if r.overtakers > 0 and readWish(r, member).overtakes then
      r.overtakers = r.overtakers - 1
    end
  end
  callPaged('ZREM', r.queue, members)
  for client, count in pairs(leavers) do
    local p = pulse(r, client)
    if p and p.claims > count then
      p.claims = p.claims - count
      call('HSET', r.waiting, client, pulseText(p))
    elseif p then
      r.pulses[client] = false
      fields[#fields + 1] = client
    end
  end
  callPaged('HDEL', r.waiting, fields)
end

local function publish(r, client, kindOfMessage, text)
  local namespace, name = string.match(r.key, '^([^{]*){([^}]*)')
  redis.pcall('PUBLISH', namespace .. 'c:' .. client,
    kindOfMessage .. '|' .. r.kind .. '|' .. text .. name)
end

-- Puts a claim of the caller into the queue, and returns when it arrived. Tells the holder of a lock, if
-- it passes on locally, that another client waits now.
local function enqueue(r, claim, permits, leaseMillis, tokens, overtakes, label)
  local member, p, holder = me .. '.' .. claim, pulse(r, me) or {claims = 0}, insideOf(r)
  local isWanted = r.isLock and holder and holder.hasSpare and holder.client ~= me
    and othersWait(r, holder.client) == 0
  local arrival = math.max((r.arrival or 0) + 1, now)
  call('ZADD', r.queue, arrival, member)
  p.ends, p.claims = now + heartbeat, p.claims + 1
  r.pulses[me] = p
  call('HSET', r.waiting, me, pulseText(p), member,
    permits .. ' ' .. leaseMillis .. ' ' .. tokens .. ' ' .. overtakes .. ' ' .. label)
  keepQueue(r)
  r.arrival, r.overtakers = arrival, r.overtakers + overtakes
  if isWanted then
    publish(r, holder.client, 'W', '')
  end
  return arrival
end

-- The grants.

-- Sees to it that the record lasts until then, beside the grant inside it.
local function need(r, till)
  r.needed = math.max(r.needed, till)
  r.neededFor = math.max(r.neededFor, till - now)
  r.isLonger = true
end

local function setEnd(r, member, span)
  local grant = r.grants[member]
  grant.since, grant.span, grant.ends = now, span, now + span
  r.put[member], r.isLonger = true, true
  if member ~= r.inside then
    need(r, grant.ends)
  end
end

-- Grants a wish, for so long.
local function give(r, member, wish, span, isUnconfirmed)
  local client, number = string.match(member, '^([^.]+)%.(.*)$')
  local first = math.max(r.last + 1, tokenFloor())
  if out(r) <= 0 then
    r.inside = member
  else
    r.beside = r.beside + wish.permits
  end
  r.last = first + wish.tokens - 1
  r.grants[member] = {client = client, number = number, permits = wish.permits, first = first,
    tokens = wish.tokens, run = wish.run or '', label = wish.label, isUnconfirmed = isUnconfirmed,
    hasSpare = wish.tokens > (wish.claims or 1)}
  setEnd(r, member, span)
end

-- Gives somebody unknown, with the client id "?", all that is free until no forgotten lease is valid.
local function giveUnknown(r)
  give(r, '?.0', {permits = r.isLock and 1 or 2147483647, tokens = 1, label = ''}, r.safe - now, false)
end

-- Whether a grant may be over, and others given in its place that are forgotten.
local function isDoubtful(r, grant)
  return r.safe and how == 'n' and grant.ends == r.safe and grant.client ~= '?'
end

-- Ends a grant. What comes after a lock's holder that is doubtful may be forgotten; elsewhere somebody
-- unknown has all the rest already.
local function takeBack(r, member)
  local grant = r.grants[member]
  if member == r.inside then
    r.inside = nil
  else
    r.beside = math.max(0, r.beside - (grant and grant.permits or 0))
    r.drop[member] = true
  end
  r.grants[member], r.put[member] = nil, nil
  if r.isLock and isDoubtful(r, grant) then
    giveUnknown(r)
  end
end

-- Has a grant end this long from now, or later if it does so already, and confirms it.
local function prolong(r, member, leaseMillis)
  local grant = r.grants[member]
  if now + leaseMillis * 1000 > grant.ends then
    setEnd(r, member, leaseMillis * 1000)
  elseif grant.ends == r.safe then
    setEnd(r, member, grant.ends + 1 - now) -- certain from now on
  end
  grant.isUnconfirmed = false
  r.put[member], r.isRenewal = true, true
end

-- The caller's grant that covers a claim; nil if there is none.
local function covering(r, claim)
  local member, holder = me .. '.' .. claim, insideOf(r)
  if holder and holder.run ~= '' then
    local isCovered = string.find(',' .. holder.run .. ',', ',' .. claim .. ',', 1, true)
    return holder.client == me and isCovered and r.inside or nil
  end
  return r.grants[member] and member
end

local function keep(r)
  local holder = insideOf(r)
  local till = math.max(now, r.needed, r.last, holder and holder.ends or 0)
  local millis = math.ceil((till - now) / 1000) + tombstone
  call('PEXPIRE', r.key, millis)
  if r.beside > 0 and r.byEnd then
    call('PEXPIRE', r.byEnd, millis)
  end
end

-- Reads these grants beside, as far as they can be read.
local function read(r, members)
  for from = 1, #members, PAGE do
    local texts = call('HMGET', r.key, unpack(members, from, math.min(from + PAGE - 1, #members)))
    for i, text in ipairs(texts) do
      local member = members[from + i - 1]
      r.grants[member] = r.grants[member] or readGrant(member, text)
    end
  end
end

-- Reads all grants, and returns their members.
local function readAll(r)
  local members = r.beside > 0 and r.byEnd and call('ZRANGE', r.byEnd, 0, -1) or {}
  read(r, members)
  members[#members + 1] = r.inside
  return members
end

-- Sets the ends of all grants anew: to this one if it is given, and to what they were meant to be if
-- the clock went back. The first write is one that a full memory does not refuse.
local function setEnds(r, safe)
  local texts, ends, members = {}, {}, readAll(r)
  r.needed, r.isRenewal = 0, true
  for _, member in ipairs(members) do
    local grant = r.grants[member]
    -- While a lock rests it need not do so for longer.
    if grant and safe and (grant.ends < safe or string.sub(member, 1, 1) ~= '~') then
      grant.since, grant.span, grant.ends = now, safe - now, safe
    end
    if member == r.inside then
      r.put[member] = true
    elseif grant then
      texts[#texts + 1], texts[#texts + 2] = member, grantText(grant)
      ends[#ends + 1], ends[#ends + 2] = integer(grant.ends), member
      r.needed = math.max(r.needed, grant.ends)
    end
  end
  keep(r)
  callPaged('HSET', r.key, texts)
  callPaged('ZADD', r.byEnd, ends)
end

-- Judges the record if there may be gaps in this server's memory. While there may be,
--  * one that is to begin begins with an unknown holder, which also has all that is or becomes free of
--    other records,
--  * a holder stays, renews and releases. What comes after a lock's holder is certain only if that one
--    has renewed its lease at this server.
-- Where replicas have confirmed what is in records, only ends and what isn't there are not trusted.
-- Nothing is to be guarded at a barrier.
local function guard(r, begins)
  if r.isBarrier or how == 'g' or how == 'o' and not (r.isNew and begins) then
    r.safe = nil
  else
    r.safe = unsafeUntil(r)
  end
  if not r.safe then
    if r.neededFor > 0 and r.needed > now + r.neededFor then
      setEnds(r) -- the clock went back
    end
  elseif r.isNew then
    if begins then
      r.judged = r.safe
      giveUnknown(r)
    end
  elseif r.judged ~= r.safe then
    r.judged = r.safe
    setEnds(r, r.safe)
    local isKnown = r.inside and (r.isLock or r.inside == '?.0')
      or r.beside > 0 and r.byEnd and call('ZSCORE', r.byEnd, '?.0')
    if how == 'n' and not isKnown then
      giveUnknown(r)
    end
  end
end

-- Drops the grants that are over.
local function dropThoseOver(r)
  if r.inside and insideOf(r).ends <= now then
    takeBack(r, r.inside)
  end
  local first = r.beside > 0 and r.byEnd and call('ZRANGE', r.byEnd, 0, 0, 'WITHSCORES')[2]
  if first and first + 0 <= now then
    local over = call('ZRANGEBYSCORE', r.byEnd, '-inf', integer(now))
    read(r, over)
    for _, member in ipairs(over) do
      takeBack(r, member)
    end
  end
end

-- Grants what a claim from the queue wants, for the claim deadline.
local function letIn(r, member, wish)
  if r.isBarrier then
    give(r, member, wish, wish.lease, false) -- keeps nobody out, and must not be missed
  else
    give(r, member, wish, math.min(wish.lease, claimDeadline), true)
  end
  r.letIn[#r.letIn + 1] = member
end

-- Admits claims from the head of the queue as far as their permits are left. With a claim for a lock those
-- of its client with the same lease directly behind it are admitted, as a run: with one grant.
local function admitWhileItLasts(r)
  local left, isBlocked, stay = r.limit - out(r), false, false
  local overtakers = r.overtakers -- not yet come by
  local entering, leaving, run, runner = {}, {}, nil, nil
  for member, client, claim in eachWaiting(r) do
    local wish, isLive = readWish(r, member), isAlive(r, client)
    overtakers = overtakers - (wish.overtakes and 1 or 0)
    if run and (client ~= runner or wish.lease ~= run.lease or run.claims == MAX_RUN) then
      r.others = client ~= runner and isLive and 1 or nil
      stay = true
      break
    elseif run then
      run.tokens, run.claims, run.label = run.tokens + wish.tokens, run.claims + 1, ''
      run.run = run.run .. ',' .. claim
      leaving[#leaving + 1] = member
    elseif not isLive then
      leaving[#leaving + 1] = member
    elseif wish.permits <= left and (wish.overtakes or not isBlocked) then
      entering[#entering + 1], leaving[#leaving + 1] = {member, wish}, member
      left = left - wish.permits
      if r.isLock then
        run, runner, r.others = wish, client, 0
        run.run, run.claims = claim, 1
      end
    else
      stay = true
      isBlocked = isBlocked or wish.permits <= r.limit
    end
    if not run and (left <= 0 or isBlocked and overtakers <= 0) then
      stay = true
      break
    end
  end
  if not stay and not run then
    r.arrival = nil
  elseif run and run.claims == 1 then
    run.run = ''
  end
  unqueue(r, leaving)
  for _, each in ipairs(entering) do
    letIn(r, each[1], each[2])
  end
end

-- Admits groups of as many as the limit says; one more comes besides those in the queue if extra is
-- 1. Returns whether the one more is admitted too.
local function admitGroups(r, extra)
  if call('ZCARD', r.queue) + extra < r.limit then
    return false
  end
  local alive, leaving, entering = {}, {}, {}
  for member, client in eachWaiting(r) do
    if isAlive(r, client) then
      alive[#alive + 1] = member
    else
      leaving[#leaving + 1] = member
    end
  end
  local count = math.floor((#alive + extra) / r.limit) * r.limit
  for i = 1, math.min(count, #alive) do
    entering[i], leaving[#leaving + 1] = readWish(r, alive[i]), alive[i]
  end
  if #entering == #alive then
    r.arrival = nil
  end
  unqueue(r, leaving)
  for i, wish in ipairs(entering) do
    letIn(r, alive[i], wish)
  end
  return count > #alive
end

-- Admits the claims that the rule admits.
local function admit(r)
  if not r.arrival or not r.limit or not r.queue then
    return
  elseif r.isBarrier then
    if r.limit > 0 then
      admitGroups(r, 0)
    end
  elseif out(r) < r.limit then
    admitWhileItLasts(r)
  end
end

-- Sees to it that the record lasts as long as the queue.
local function needQueue(r)
  local holder = insideOf(r)
  local needed = math.max(r.needed, holder and holder.ends or 0)
  if r.arrival and needed + tombstone * 1000 < now + 3 * heartbeat then
    need(r, now + 3 * heartbeat)
  end
end

-- Forgets what belonged to claims that are all gone.
local function tidy(r)
  local isFree = out(r) <= 0
  if isFree and r.arrival and r.queue and call('ZCARD', r.queue) == 0 then
    r.arrival = nil
  end
  if not r.arrival then
    r.overtakers = 0
    if r.beside <= 0 then
      r.needed, r.neededFor = 0, 0
    end
    if isFree and not r.isLock then
      r.limit = nil
    end
  end
  if not r.safe and how ~= 'o' then
    r.judged = nil
  end
end

-- The fields of the record that have changed, and those that have gone.
local function changes(r)
  local function positive(number)
    return number and number > 0 and integer(number) or nil
  end
  local inside = r.inside
  if inside then
    inside = r.put[inside] and inside .. ' ' .. grantText(r.grants[inside]) or r.was[2]
  end
  local values = {nil, inside, positive(r.last), positive(r.arrival), positive(r.beside),
    not r.isLock and r.limit and integer(r.limit) or nil, positive(r.overtakers),
    r.needed > 0 and integer(r.needed) .. ' ' .. integer(r.neededFor) or nil, positive(r.judged)}
  local changed, gone = {}, {}
  for i = 2, #FIELDS do
    if values[i] and values[i] ~= r.was[i] then
      changed[#changed + 1], changed[#changed + 2] = FIELDS[i], values[i]
    elseif not values[i] and r.was[i] then
      gone[#gone + 1] = FIELDS[i]
    end
  end
  return changed, gone
end

-- Writes what has changed of the record and the grants. Where a grant ends, shrinks or is renewed,
-- the first write is one that a full memory does not refuse.
local function save(r)
  tidy(r)
  local changed, gone = changes(r)
  local ends, ended = {}, {}
  for member in pairs(r.drop) do
    if not r.grants[member] or member == r.inside then -- or the same claim has been granted again
      gone[#gone + 1], ended[#ended + 1] = member, member
    end
  end
  for member in pairs(r.put) do
    if member ~= r.inside then
      local grant = r.grants[member]
      changed[#changed + 1], changed[#changed + 2] = member, grantText(grant)
      ends[#ends + 1], ends[#ends + 2] = integer(grant.ends), member
    end
  end
  local isChanged = #changed > 0
  callPaged('HDEL', r.key, gone)
  if r.isRenewal then
    keep(r)
  end
  if r.isNew and isChanged then
    changed[#changed + 1], changed[#changed + 2] = 'v', '1'
  end
  callPaged('HSET', r.key, changed)
  callPaged('ZADD', r.byEnd, ends)
  if r.isNew and isChanged then
    begun(r.key)
  end
  callPaged('ZREM', r.byEnd, ended) -- behind ZADD, so that the key does not go in between
  if isChanged and (r.isNew or r.isLonger and not r.isRenewal or #ends > 0) then
    keep(r)
  end
end

-- Notifies the admitted clients of each of their grants, except of the one in the answer.
local function tell(r, answered)
  local news, clients = {}, {}
  for _, member in ipairs(r.letIn) do
    local grant = r.grants[member]
    if grant and member ~= answered then
      if not news[grant.client] then
        news[grant.client], clients[#clients + 1] = {}, grant.client
      end
      local list = news[grant.client]
      local others = r.isLock and (r.others or othersWait(r, grant.client)) or 0
      list[#list + 1] = string.format('%s:%.0f:%.0f:%.0f:%d:%d:%s', grant.number, grant.first,
        grant.tokens, grant.ends - now, others, grant.isUnconfirmed and 0 or 1, grant.run)
    end
  end
  for _, client in ipairs(clients) do
    local list = news[client]
    for from = 1, #list, PAGE do
      publish(r, client, 'G', integer(now) .. '|'
        .. table.concat(list, ';', from, math.min(from + PAGE - 1, #list)) .. '|')
    end
  end
end

-- Adds a grant to an answer: grant, claims, first and last token, now, remaining time, whether others
-- wait, whether it is confirmed.
local function addGrant(answer, r, member)
  local i, grant = #answer, r.grants[member]
  answer[i + 1], answer[i + 2] = grant.number, grant.run == '' and grant.number or grant.run
  answer[i + 3], answer[i + 4] = grant.first, grant.first + grant.tokens - 1
  answer[i + 5], answer[i + 6] = now, grant.ends - now
  answer[i + 7], answer[i + 8] = r.others or othersWait(r, me), grant.isUnconfirmed and 0 or 1
  return answer
end

-- Adds a place in the queue to an answer: now, how long until a grant ends, arrival. To be called behind
-- save.
local function addPlace(answer, r, arrival)
  local i, holder = #answer, insideOf(r)
  local first = r.beside > 0 and call('ZRANGE', r.byEnd, 0, 0, 'WITHSCORES')[2]
  local ends = math.min(holder and holder.ends or math.huge, first or math.huge)
  answer[i + 1], answer[i + 2] = now, ends < math.huge and ends - now or heartbeat
  answer[i + 3] = tonumber(arrival)
  return answer
end
