-- What several scripts need. It takes the place of the line "-- include common" in each of them,
-- behind the fast path, so that a call that nobody else is concerned with never gets here.
--
-- Three keys per resource, all with the resource's name as their hash tag:
--   <ns>:{<name>}    hash, the record:
--     v  1, the version of all this
--     o  the holder's client id; without it nobody holds the resource, and nobody alive waits. While it
--        rests, "~" and the client id of its last holder
--     g  the grant's number
--     r  its claims, separated by commas; absent or empty if it is only the claim g
--     x  its end
--     f  the first token of its block
--     m  its marks: "s" if the block has tokens to spare for passing on inside the client,
--        "u" as long as it is unconfirmed; then "<span>.<fraction>": the end was written this long
--        before it, at that fraction of a second. So an end that somebody else wrote since is known
--        by its fraction, and one further ahead than the span by a clock that went back
--     t  the largest token reserved so far
--     n  the last arrival; without it nobody waits
--     l  the label, for people: that of its claim if it began with one, until a renewal gives another
--     w  if there are gaps in this server's memory until some time: that time, if the record has been
--        judged accordingly. A grant that ends at just that time may be one that is long over, and
--        what follows it may be forgotten; one that was renewed since is certain
--   <ns>:{<name>}:q  sorted set, the queue: <client id>.<claim>, by arrival
--   <ns>:{<name>}:w  hash, who waits:
--     <client id>          "<end of its heartbeat> <number of its claims in the queue>"
--     <client id>.<claim>  "<tokens> <lease in ms> <label>"
-- A call may name the record only. A cluster that is moving a slot runs nothing that names a key which
-- isn't there, and while nobody waits there is only the record. Then r.queue is nil; what cannot be done
-- without the queue is answered TRYAGAIN.
--
-- Times are microseconds of this server's clock unless they say "ms". Arrivals are such times too,
-- moved up where necessary so that each is larger than the one before.
--
-- A script that includes this has set the locals that "waiting" needs.

-- include waiting

local MAX_RUN = 32
local FIELDS = {'v', 'o', 'g', 'r', 'x', 'f', 'm', 't', 'n'}

-- The resource whose keys begin at KEYS[i], from its fields in the order of FIELDS if they have
-- been read already; nil if the record is not one of ours.
local function resource(i, h)
  h = h or redis.pcall('HMGET', KEYS[i], unpack(FIELDS))
  if h.err and not string.find(h.err, 'WRONGTYPE', 1, true) then
    error(h.err, 0)
  end
  if h.err or h[1] ~= '1' and (h[1] or call('EXISTS', KEYS[i]) == 1) then
    return nil
  end
  local marks, note = string.match(h[7] or '', '^(%a*)(.*)$')
  local r = {
    key = KEYS[i], queue = KEYS[i + 1], waiting = KEYS[i + 2],
    isNew = not h[1],
    owner = h[2], grant = h[3], run = h[4] or '', ends = tonumber(h[5]),
    first = tonumber(h[6]), marks = marks, note = note, last = tonumber(h[8]) or 0,
    arrival = tonumber(h[9]),
    safe = nil, -- until when there are gaps in this server's memory, if there are
    isDoubtful = false, -- whether the grant may be over, and the next one forgotten
    pulses = {}, -- client id -> {ends, claims} or false, as far as read
    wishes = {}, -- claim in the queue -> its entry in the hash of who waits, as far as read
    letIn = false, -- whether this step let claims in from the queue
    others = nil, -- whether others waited behind these, 1 or 0, where that is known
  }
  local span, fraction = string.match(note, '^(%d+)%.(%d+)$')
  if r.owner and span and r.ends > now + span and (r.ends - span) % 1000000 == fraction + 0 then
    r.ends, r.note, r.isMoved = now + span, span .. '.' .. time[2], true -- the clock went back
  end
  return r
end

-- Whether nobody holds the resource, and it stays closed as its last holder wanted.
local function isResting(r)
  return r.owner and string.sub(r.owner, 1, 1) == '~'
end

-- For how long to keep the record, in ms.
local function keeping(r)
  return math.ceil((math.max(r.ends, r.last) - now) / 1000) + tombstone
end

-- Writes the end of the current grant and what is known of it. The first write is one that a full
-- memory does not refuse.
local function writeEnd(r)
  call('PEXPIRE', r.key, keeping(r))
  call('HSET', r.key, 'x', r.ends, 'm', r.marks .. r.note)
end

-- Has somebody unknown hold the resource, with the client id "?", until no forgotten lease is valid.
local function hold(r)
  r.isNew, r.owner, r.grant, r.run, r.ends, r.first = false, '?', '0', '', r.safe, now
  r.marks, r.note, r.isDoubtful = '', '', false
  call('HSET', r.key, 'v', 1, 'o', '?', 'g', '0', 'r', '', 'x', r.safe, 'f', now, 't', r.last, 'm', '',
    'l', '', 'w', r.safe)
  if r.arrival then
    call('HSET', r.key, 'n', r.arrival)
  end
  call('PEXPIRE', r.key, keeping(r))
  begun(r.key)
end

-- Judges the record if there may be gaps in this server's memory. While there may be,
--  * one that isn't there, if it is to begin, begins with an unknown holder,
--  * one that is free gets one, for its next grant may be forgotten,
--  * a holder stays until then, renews and releases. What comes after it is certain only if it has
--    renewed its lease at this server.
-- Where replicas have confirmed what is in records, only ends and what isn't there are not trusted.
local function guard(r, begins)
  if how == 'o' or how == 'g' then
    r.safe = how == 'o' and r.isNew and begins and unsafeUntil(r) or nil
  else
    r.safe = unsafeUntil(r)
  end
  if not r.safe then
    if r.isMoved then
      writeEnd(r)
    end
  elseif r.isNew then
    if begins then
      hold(r)
    end
  elseif r.owner then
    if tonumber(call('HGET', r.key, 'w') or nil) ~= r.safe then
      if not isResting(r) or r.ends < r.safe then
        r.ends, r.note = r.safe, ''
      end
      writeEnd(r)
      call('HSET', r.key, 'w', r.safe)
    elseif r.isMoved then
      writeEnd(r)
    end
    r.isDoubtful = how == 'n' and r.owner ~= '?' and r.ends == r.safe
  elseif how == 'n' and tonumber(call('HGET', r.key, 'w') or nil) ~= r.safe then
    hold(r)
  end
end

-- Whether live claims of other clients than this one wait.
local function othersWait(r, client)
  if r.arrival and not r.queue then
    return 1
  elseif r.arrival then
    for _, other in eachWaiting(r) do
      if other ~= client and isAlive(r, other) then
        return 1
      end
    end
  end
  return 0
end

-- Makes the run of these claims, whose tokens, first lease and label are given, the current grant.
local function setGrant(r, client, claims, tokens, lease, marks, label)
  if tokens > #claims then
    marks = marks .. 's'
  end
  r.owner, r.grant, r.marks = client, claims[1], marks
  r.run = #claims > 1 and table.concat(claims, ',') or ''
  r.first = math.max(r.last + 1, tokenFloor())
  r.last = r.first + tokens - 1
  r.ends = now + lease
  r.note = string.format('%.0f.%s', lease, time[2])
  call('HSET', r.key, 'v', 1, 'o', client, 'g', r.grant, 'r', r.run, 'x', r.ends, 'f', r.first,
    'm', marks .. r.note, 't', r.last, 'l', label)
  if r.safe then
    call('HSET', r.key, 'w', r.safe)
  end
  call('PEXPIRE', r.key, keeping(r))
  if r.isNew then
    begun(r.key)
  end
end

-- Takes the first live claim, and those of its client with the same lease directly behind it, out of
-- the queue, together with the dead before it; returns the client (nil if nobody is alive), the run's
-- claims, the sum of their tokens, how long the grant lasts at first, and the label.
local function takeRun(r)
  local owner, claims, tokens, lease = nil, {}, 0, claimDeadline
  local removed, leavers, fields, isEnd = 0, {}, {}, true
  local ownersLease, label
  for member, client, claim in eachWaiting(r) do
    local wishTokens, wishLease, wishLabel =
      string.match(r.wishes[member] or '1 1000', '(%d+) (%d+) ?(.*)')
    if owner and (client ~= owner or wishLease ~= ownersLease or #claims == MAX_RUN) then
      isEnd = false
      if client ~= owner and isAlive(r, client) then
        r.others = 1
      end
      break
    end
    if isAlive(r, client) then
      owner, ownersLease, label = client, wishLease, owner and '' or wishLabel
      claims[#claims + 1] = claim
      tokens = tokens + wishTokens
    end
    removed = removed + 1
    leavers[client] = (leavers[client] or 0) + 1
    fields[#fields + 1] = member
  end
  if owner then
    lease = math.min(lease, ownersLease * 1000)
  end
  if isEnd then
    r.others = 0
  end
  if removed > 0 then
    call('ZREMRANGEBYRANK', r.queue, 0, removed - 1)
    for client, count in pairs(leavers) do
      leave(r, client, count, fields)
    end
    deleteWaiting(r, fields)
  end
  return owner, claims, tokens, lease, label
end

-- Lets the next run in. To be called when the grant has ended; clears the record if nobody comes.
local function admit(r)
  if r.isDoubtful then
    hold(r) -- who came next may be forgotten
    return
  end
  r.owner = false
  if r.arrival and r.queue then
    local client, claims, tokens, lease, label = takeRun(r)
    if client then
      setGrant(r, client, claims, tokens, lease, 'u', label)
      r.letIn = true
      return
    end
    r.arrival = nil
  end
  if not r.isNew then
    call('HDEL', r.key, 'o', 'g', 'r', 'x', 'f', 'm', 'l', r.arrival and 'l' or 'n',
      r.safe and 'l' or 'w')
  end
end

-- Whether somebody waits and this call cannot reach the queue; then it must not act as if nobody did.
local function isTorn(r)
  return r.arrival and not r.queue
end

local function tryAgain()
  return redis.error_reply('TRYAGAIN the slot of this resource is being moved')
end

local function mark(r, letter)
  return string.find(r.marks, letter, 1, true)
end

local function isOver(r)
  return r.owner and r.ends <= now
end

-- Whether the next claims should have been admitted: a grant is over, or a queue has no holder.
local function isDue(r)
  return isOver(r) or (not r.owner and r.arrival)
end

local function admitIfDue(r)
  if isDue(r) then
    admit(r)
  end
end

-- Has the current grant end this long from now, or later if it does so already, and confirms it.
local function prolong(r, leaseMillis)
  local ends = now + leaseMillis * 1000
  if ends > r.ends then
    r.ends, r.note = ends, leaseMillis .. '000.' .. time[2]
  elseif r.ends == r.safe then
    r.ends, r.note = r.ends + 1, '' -- certain from now on
  end
  r.isDoubtful = false
  r.marks = mark(r, 's') and 's' or ''
  writeEnd(r)
end

local function covers(r, claim)
  if r.owner ~= me then
    return false
  elseif r.run == '' then
    return r.grant == claim
  end
  return string.find(',' .. r.run .. ',', ',' .. claim .. ',', 1, true) ~= nil
end

-- Notifies the admitted client, if there is one. Not needed where the caller's answer says it.
local function tell(r)
  if r.letIn then
    redis.pcall('PUBLISH', channel(r, r.owner), string.format('G|%s|%s|%.0f|%.0f|%.0f|%.0f|%d|%d|%s',
      r.grant, r.run == '' and r.grant or r.run, r.first, r.last, now, r.ends - now,
      r.others or othersWait(r, r.owner), mark(r, 'u') and 0 or 1, name(r)))
  end
end

-- Tells the holder, if it passes on locally, that another client waits.
local function tellWanted(r)
  if r.owner and mark(r, 's') then
    redis.pcall('PUBLISH', channel(r, r.owner), 'W|' .. name(r))
  end
end

-- Adds the current grant to an answer: grant, run, first and last token, now, remaining time, whether
-- others wait, whether it is confirmed.
local function addGrant(answer, r)
  local i = #answer
  answer[i + 1], answer[i + 2] = r.grant, r.run == '' and r.grant or r.run
  answer[i + 3], answer[i + 4], answer[i + 5], answer[i + 6] = r.first, r.last, now, r.ends - now
  answer[i + 7], answer[i + 8] = r.others or othersWait(r, me), mark(r, 'u') and 0 or 1
  return answer
end

-- Adds a place in the queue to an answer: now, how long the holder's lease still lasts, arrival.
local function addPlace(answer, r, arrival)
  local i = #answer
  answer[i + 1], answer[i + 2], answer[i + 3] = now, r.ends - now, tonumber(arrival)
  return answer
end

-- Puts a claim of the caller into the queue if it is not there yet, keeps the caller's claims alive,
-- and returns when it arrived.
local function enqueue(r, claim, tokens, leaseMillis, label)
  local member = me .. '.' .. claim
  local p = pulse(r, me) or {claims = 0}
  local arrival = math.max((r.arrival or 0) + 1, now)
  local isFresh = not r.arrival or math.floor(r.arrival / heartbeat) ~= math.floor(now / heartbeat)
  local isAdded = call('ZADD', r.queue, 'NX', arrival, member) == 1
  local isWanted = isAdded and r.owner and r.owner ~= me and mark(r, 's')
    and othersWait(r, r.owner) == 0
  p.ends = now + heartbeat
  r.pulses[me] = p
  if isAdded then
    p.claims = p.claims + 1
    call('HSET', r.waiting, me, pulseText(p), member,
      tokens .. ' ' .. leaseMillis .. ' ' .. label)
  else
    call('HSET', r.waiting, me, pulseText(p))
  end
  if isFresh or isAdded and call('ZCARD', r.queue) == 1 then
    keepQueue(r) -- it may have become empty since the last arrival, and has just been made
  end
  if not isAdded then
    return call('ZSCORE', r.queue, member)
  end
  r.arrival = arrival
  call('HSET', r.key, 'n', arrival)
  if isWanted then
    tellWanted(r)
  end
  return arrival
end
