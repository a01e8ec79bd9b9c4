-- What the scripts for shared resources need: read-write locks, semaphores, barriers. It takes the
-- place of the line "-- include pool-common" in each of them.
--
-- Six keys per resource, all with the resource's name as their hash tag; <kind> is rw, sem or bar:
--   <ns>:{<name>}:<kind>    hash, the record:
--     v  1, the version of all this
--     l  the limit: how many permits there are; without it the resource is out of use
--     u  how many permits are out, the sum over all grants; without it there are none
--     t  the largest token given so far
--     n  the last arrival; without it nobody waits
--     k  how many of the waiting claims overtake; without it none does
--     e  until when the record is needed at least: no grant ends later
--     d  the longest time for which it was needed when something was written; so if it is needed for
--        longer than that now, the clock went back
--     w  if there are gaps in this server's memory until some time: that time, if the record has been
--        judged accordingly. A grant that ends at just that time may be one that is long over
--     <client id>.<claim>   a grant: "<permits> <token> <end> <1 if confirmed, else 0>
--                           <span>.<fraction>|<label>", all in one. The end was written this long
--                           before it, at that fraction of a second, unless somebody else wrote it
--   <ns>:{<name>}:<kind>:e  sorted set, the grants: <client id>.<claim>, by end
--   <ns>:{<name>}:<kind>:q  sorted set, the queue: <client id>.<claim>, by arrival
--   <ns>:{<name>}:<kind>:w  hash, who waits:
--     <client id>           "<end of its heartbeat> <number of its claims in the queue>"
--     <client id>.<claim>   "<permits> <lease in ms> <1 if it overtakes, else 0> <label>"
--   <ns>:{<name>}:<kind>:l  string, the limit that a semaphore was given; without a time to live
--   <ns>:{<name>}:<kind>:x  sorted set, claims that were taken back at a barrier: <client id>.<claim>,
--                           by when that is forgotten; only scripts that claim and withdraw have it
-- A call about one grant may name the record and the grants only: a cluster that is moving a slot runs
-- nothing that names a key which isn't there, and these two are there while there are grants. Then
-- r.queue is nil, and nobody is admitted.
--
-- Times are microseconds of this server's clock unless they say "ms". Arrivals are such times too,
-- moved up where necessary so that each is larger than the one before.
--
-- What a script changes of the record and the grants it notes in r; save(r) writes it, at the end.
-- Queue and waiting claims are written at once. A script that includes this has set the locals that
-- "waiting" needs.

-- include waiting

local KEYS_EACH = 5
local FIELDS = {'v', 'l', 'u', 't', 'n', 'k', 'e', 'd', 'w'}

local function integer(number)
  return string.format('%.0f', number)
end

local function readGrant(text)
  local permits, token, ends, confirmed, label =
    string.match(text or '', '(%d+) (%d+) (%d+) (%d) ?(.*)')
  if not permits then
    return nil
  end
  local grant = {permits = tonumber(permits), token = tonumber(token), ends = tonumber(ends),
    isConfirmed = confirmed == '1', label = label}
  local span, fraction, rest = string.match(label, '^(%d+)%.(%d+)|(.*)$')
  if span then
    grant.label = rest
    grant.span = (grant.ends - span) % 1000000 == fraction + 0 and tonumber(span) or nil
  end
  return grant
end

local function grantText(grant)
  local note = grant.span
    and string.format('%.0f.%.0f|', grant.span, (grant.ends - grant.span) % 1000000) or ''
  return string.format('%.0f %.0f %.0f %d', grant.permits, grant.token, grant.ends,
    grant.isConfirmed and 1 or 0) .. ' ' .. note .. grant.label
end

-- The i-th resource of KEYS, with the grant of this member if there is one; nil if the record is not
-- one of ours. h is what HMGET says of it, if that has been read already.
local function resource(i, member, h)
  local at = KEYS_EACH * (i - 1)
  local key = KEYS[at + 1]
  h = h or redis.pcall('HMGET', key, 'v', 'l', 'u', 't', 'n', 'k', 'e', 'd', 'w', member)
  if h.err and not string.find(h.err, 'WRONGTYPE', 1, true) then
    error(h.err, 0)
  end
  if h.err or h[1] ~= '1' and (h[1] or call('EXISTS', key) == 1) then
    return nil
  end
  local kind = string.match(key, '[a-z]+$')
  local isPair = #KEYS == 2
  return {
    key = key, queue = not isPair and KEYS[at + 2] or nil, waiting = KEYS[at + 3],
    byEnd = KEYS[at + (isPair and 2 or 4)], ownLimit = KEYS[at + 5], kind = kind, isBarrier = kind == 'bar',
    isNew = not h[1], was = h,
    limit = tonumber(h[2]), out = tonumber(h[3]) or 0, last = tonumber(h[4]) or 0,
    arrival = tonumber(h[5]), overtakers = tonumber(h[6]) or 0, needed = tonumber(h[7]) or 0,
    neededFor = tonumber(h[8]) or 0, judged = tonumber(h[9]),
    safe = nil, -- until when there are gaps in this server's memory, if there are
    isRenewal = false, -- whether a grant is renewed
    firstEnd = nil, -- when the first grant ends, as read; nil if there is none
    grants = {[member] = readGrant(h[10]) or nil}, -- claim -> grant, as far as known
    put = {}, -- claims whose grants are to be written
    drop = {}, -- claims whose grants are to be deleted
    letIn = {}, -- claims that this step admitted from the queue, in order
    pulses = {}, wishes = {},
  }
end

-- Sees to it that the record lasts until then.
local function need(r, till)
  r.needed = math.max(r.needed, till)
  r.neededFor = math.max(r.neededFor, till - now)
end

local function give(r, member, permits, lease, isConfirmed, label)
  r.last = math.max(r.last + 1, tokenFloor())
  r.out = r.out + permits
  r.grants[member] =
    {permits = permits, token = r.last, ends = now + lease, span = lease,
      isConfirmed = isConfirmed, label = label}
  r.put[#r.put + 1] = member
  need(r, now + lease)
end

local function takeBack(r, member, permits)
  r.out = r.out - permits
  r.grants[member] = nil
  r.drop[#r.drop + 1] = member
end

-- Has a grant end this long from now, or later if it does so already, and confirms it.
local function prolong(r, member, leaseMillis)
  local grant = r.grants[member]
  local ends = now + leaseMillis * 1000
  if ends > grant.ends then
    grant.ends, grant.span = ends, leaseMillis * 1000
  elseif grant.ends == r.safe then
    grant.ends, grant.span = grant.ends + 1, nil -- certain from now on
  end
  grant.isConfirmed = true
  r.isRenewal = true
  r.put[#r.put + 1] = member
  need(r, grant.ends)
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

local function keep(r)
  local millis = math.ceil((math.max(r.needed, r.last) - now) / 1000) + tombstone
  call('PEXPIRE', r.key, millis)
  call('PEXPIRE', r.byEnd, millis)
end

-- Sets the ends of all grants anew, to what a function says, and writes them at once. Needed where
-- a clock or a server has changed. The first write is one that a full memory does not refuse.
local function setEnds(r, newEnd)
  local members, texts, ends = call('ZRANGE', r.byEnd, 0, -1), {}, {}
  r.needed = 0
  for _, member in ipairs(members) do
    local grant = r.grants[member] or readGrant(call('HGET', r.key, member) or nil)
    if grant then
      newEnd(grant)
      texts[#texts + 1], texts[#texts + 2] = member, grantText(grant)
      ends[#ends + 1], ends[#ends + 2] = integer(grant.ends), member
      r.needed = math.max(r.needed, grant.ends)
    end
  end
  keep(r)
  callPaged('HSET', r.key, texts)
  callPaged('ZADD', r.byEnd, ends)
end

-- Judges the record if there may be gaps in this server's memory. While there may be, somebody unknown
-- has everything that is free or becomes free, and holders stay; one that has gone from here may be
-- followed by others that are forgotten. Where replicas have confirmed what is in records, only ends
-- and what isn't there are not trusted. Nothing is to be guarded at a barrier.
local function guard(r, begins)
  if r.isBarrier or how == 'g' or (how == 'o' and not (r.isNew and begins)) then
    r.safe = nil
  else
    r.safe = unsafeUntil(r)
  end
  if not r.safe then
    if r.neededFor > 0 and r.needed > now + r.neededFor then
      setEnds(r, function(grant) -- the clock went back
        if grant.span then
          grant.ends = math.min(grant.ends, now + grant.span)
        end
      end)
    end
  elseif r.isNew then
    if begins then
      r.judged = r.safe
      give(r, '?.0', 2147483647, r.safe - now, true, '')
    end
  elseif r.judged ~= r.safe then
    r.judged = r.safe
    setEnds(r, function(grant)
      grant.ends, grant.span = r.safe, nil
    end)
    if how == 'n' and not call('ZSCORE', r.byEnd, '?.0') then
      give(r, '?.0', 2147483647, r.safe - now, true, '')
    end
  end
end

-- Whether a grant may be over, and others given in its place that are forgotten.
local function isDoubtful(r, grant)
  return grant and r.safe and how == 'n' and grant.ends == r.safe
end

-- Drops the grants that are over.
local function dropThoseOver(r)
  local first = call('ZRANGE', r.byEnd, 0, 0, 'WITHSCORES')
  r.firstEnd = tonumber(first[2])
  if not r.firstEnd or r.firstEnd > now then
    return
  end
  local over = call('ZRANGEBYSCORE', r.byEnd, '-inf', integer(now))
  for from = 1, #over, PAGE do
    local texts =
      call('HMGET', r.key, unpack(over, from, math.min(from + PAGE - 1, #over)))
    for i, text in ipairs(texts) do
      local grant = readGrant(text)
      takeBack(r, over[from + i - 1], grant and grant.permits or 0)
    end
  end
  r.firstEnd = tonumber(
    call('ZRANGEBYSCORE', r.byEnd, '(' .. integer(now), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)[2])
end

local function readWish(r, member)
  local permits, lease, overtakes, label =
    string.match(r.wishes[member] or '1 1000 0', '(%d+) (%d+) (%d) ?(.*)')
  return tonumber(permits), lease * 1000, overtakes == '1', label
end

-- Takes claims out of the queue whose wishes have been read.
local function unqueue(r, members)
  if #members == 0 then
    return
  end
  local leavers, fields = {}, {}
  for i, member in ipairs(members) do
    local client = string.match(member, '^[^.]+')
    leavers[client] = (leavers[client] or 0) + 1
    fields[i] = member
    local _, _, overtakes = readWish(r, member)
    if overtakes then
      r.overtakers = math.max(0, r.overtakers - 1)
    end
  end
  for from = 1, #members, PAGE do
    call('ZREM', r.queue, unpack(members, from, math.min(from + PAGE - 1, #members)))
  end
  for client, count in pairs(leavers) do
    leave(r, client, count, fields)
  end
  deleteWaiting(r, fields)
end

local function letIn(r, members)
  for _, member in ipairs(members) do
    local permits, lease, _, label = readWish(r, member)
    if r.isBarrier then
      give(r, member, permits, lease, true, label) -- keeps nobody out, and must not be missed
    else
      give(r, member, permits, math.min(lease, claimDeadline), false, label)
    end
    r.letIn[#r.letIn + 1] = member
  end
end

-- Admits claims from the head of the queue as far as their permits are left.
local function admitWhileItLasts(r)
  local left, isBlocked, stay = r.limit - r.out, false, false
  local overtakers = r.overtakers -- not yet come by
  local entering, leaving = {}, {}
  for member, client in eachWaiting(r) do
    local permits, _, overtakes = readWish(r, member)
    overtakers = overtakers - (overtakes and 1 or 0)
    if isAlive(r, client) then
      if permits <= left and (overtakes or not isBlocked) then
        entering[#entering + 1], leaving[#leaving + 1] = member, member
        left = left - permits
      else
        stay = true
        isBlocked = isBlocked or permits <= r.limit
      end
    else
      leaving[#leaving + 1] = member
    end
    if left <= 0 or isBlocked and overtakers <= 0 then
      stay = true
      break
    end
  end
  if not stay then
    r.arrival = nil
  end
  unqueue(r, leaving)
  letIn(r, entering)
end

-- Admits groups of as many as the limit says; one more comes besides those in the queue if extra is
-- 1. Returns whether the one more is admitted too.
local function admitGroups(r, extra)
  if call('ZCARD', r.queue) + extra < r.limit then
    return false
  end
  local alive, leaving = {}, {}
  for member, client in eachWaiting(r) do
    if isAlive(r, client) then
      alive[#alive + 1] = member
    else
      leaving[#leaving + 1] = member
    end
  end
  local count = math.floor((#alive + extra) / r.limit) * r.limit
  local entering = {}
  for i = 1, math.min(count, #alive) do
    entering[i], leaving[#leaving + 1] = alive[i], alive[i]
  end
  if #entering == #alive then
    r.arrival = nil
  end
  unqueue(r, leaving)
  letIn(r, entering)
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
  elseif r.out < r.limit then
    admitWhileItLasts(r)
  end
end

-- Sees to it that the record lasts as long as the queue.
local function needQueue(r)
  if r.arrival and r.needed + tombstone * 1000 < now + 3 * heartbeat then
    need(r, now + 3 * heartbeat)
  end
end

-- Forgets what belonged to claims that are all gone.
local function tidy(r)
  if r.out <= 0 and r.arrival and r.queue and call('ZCARD', r.queue) == 0 then
    r.arrival = nil
  end
  if not r.arrival then
    r.overtakers = 0
  end
  if r.out <= 0 and not r.arrival then
    r.limit, r.needed, r.neededFor = nil, 0, 0
  end
  if not r.safe and how ~= 'o' then
    r.judged = nil
  end
end

-- The fields of the record that have changed, and those that have gone.
local function changes(r)
  local values = {1, r.limit, r.out > 0 and r.out or nil, r.last > 0 and r.last or nil, r.arrival,
    r.overtakers > 0 and r.overtakers or nil, r.needed > 0 and r.needed or nil,
    r.neededFor > 0 and r.neededFor or nil, r.judged}
  local changed, gone = {}, {}
  for i = 2, #FIELDS do
    local value = values[i] and integer(values[i])
    if value and value ~= r.was[i] then
      changed[#changed + 1], changed[#changed + 2] = FIELDS[i], value
    elseif not value and r.was[i] then
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
  for _, member in ipairs(r.drop) do
    if not r.grants[member] then -- or it was over, and the same claim has been granted again
      gone[#gone + 1], ended[#ended + 1] = member, member
    end
  end
  for _, member in ipairs(r.put) do
    local grant = r.grants[member]
    changed[#changed + 1], changed[#changed + 2] = member, grantText(grant)
    ends[#ends + 1], ends[#ends + 2] = integer(grant.ends), member
  end
  local isLonger = r.needed > 0 and integer(r.needed) ~= r.was[7]
  callPaged('HDEL', r.key, gone)
  if not r.isNew and (isLonger or r.isRenewal) then
    keep(r)
  end
  if r.isNew and #changed > 0 then
    changed[#changed + 1], changed[#changed + 2] = 'v', '1'
  end
  callPaged('HSET', r.key, changed)
  callPaged('ZADD', r.byEnd, ends)
  if r.isNew and #changed > 0 then
    begun(r.key)
  end
  callPaged('ZREM', r.byEnd, ended) -- behind ZADD, so that the key does not go in between
  if #ends > 0 and not r.firstEnd or r.isNew and #changed > 0 then
    keep(r)
  end
end

-- Notifies the admitted clients of each of their claims, except of the one that the answer tells.
local function tell(r, answered)
  local news, clients = {}, {}
  for _, member in ipairs(r.letIn) do
    local client, claim = string.match(member, '^([^.]+)%.(.*)')
    if member ~= answered then
      if not news[client] then
        news[client], clients[#clients + 1] = {}, client
      end
      local grant = r.grants[member]
      local list = news[client]
      list[#list + 1] = string.format('%s:%.0f:%.0f:%d', claim, grant.token, grant.ends - now,
        grant.isConfirmed and 1 or 0)
    end
  end
  for _, client in ipairs(clients) do
    local list = news[client]
    for from = 1, #list, PAGE do
      redis.pcall('PUBLISH', channel(r, client), string.format('P|%s|%.0f|%s|%s', r.kind, now,
        table.concat(list, ',', from, math.min(from + PAGE - 1, #list)), name(r)))
    end
  end
end

local function tellRevoked(r, client)
  redis.pcall('PUBLISH', channel(r, client), 'X|' .. r.kind .. '|' .. name(r))
end

-- A grant as an answer: token, now, remaining time, whether it is confirmed.
local function addGrant(answer, grant)
  local i = #answer
  answer[i + 1], answer[i + 2], answer[i + 3] = grant.token, now, grant.ends - now
  answer[i + 4] = grant.isConfirmed and 1 or 0
  return answer
end

-- A place in the queue as an answer: now, how long until a grant ends, arrival. To be called behind
-- save.
local function addPlace(answer, r, arrival)
  local first = tonumber(call('ZRANGE', r.byEnd, 0, 0, 'WITHSCORES')[2])
  local i = #answer
  answer[i + 1], answer[i + 2] = now, first and first - now or heartbeat
  answer[i + 3] = tonumber(arrival)
  return answer
end
