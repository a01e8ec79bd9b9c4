-- What several scripts need. It takes the place of the line "-- include common" in each of them,
-- behind the fast path, so that a call that nobody else is concerned with never gets here.
--
-- Three keys per resource, all with the resource's name as their hash tag:
--   <ns>:{<name>}    hash, the record:
--     v  1, the version of all this
--     o  the holder's client id; without it nobody holds the resource, and nobody alive waits
--     g  the grant's number
--     r  its claims, separated by commas; absent or empty if it is only the claim g
--     x  its end
--     f  the first token of its block
--     m  its marks: "s" if the block has tokens to spare for passing on inside the client,
--        "u" as long as it is unconfirmed
--     t  the largest token reserved so far
--     n  the last arrival; without it nobody waits
--     l  the label of its first claim, for people
--   <ns>:{<name>}:q  sorted set, the queue: <client id>.<claim>, by arrival
--   <ns>:{<name>}:w  hash, who waits:
--     <client id>          "<end of its heartbeat> <number of its claims in the queue>"
--     <client id>.<claim>  "<tokens> <lease in ms> <label>"
-- And one per namespace, not on a cluster:
--   <ns>:epoch       until when no record may begin without a holder, 0 at first. Each client sees to
--                    it that the key is there when it connects; so if it is not there later, this
--                    server has lost its memory.
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
  if h.err or h[1] ~= '1' and (h[1] or call('EXISTS', KEYS[i]) == 1) then
    return nil
  end
  return {
    key = KEYS[i], queue = KEYS[i + 1], waiting = KEYS[i + 2],
    isNew = not h[1],
    owner = h[2], grant = h[3], run = h[4] or '', ends = tonumber(h[5]),
    first = tonumber(h[6]), marks = h[7] or '', last = tonumber(h[8]) or 0, arrival = tonumber(h[9]),
    pulses = {}, -- client id -> {ends, claims} or false, as far as read
    wishes = {}, -- claim in the queue -> its entry in the hash of who waits, as far as read
    letIn = false, -- whether this step let claims in from the queue
    others = nil, -- whether others waited behind these, 1 or 0, where that is known
  }
end

-- Sees to it that a record which isn't there does not begin as a free one while there may be leases
-- that this server has forgotten: somebody unknown, with the client id "?", holds it until then.
local function guard(r)
  local safe = r.isNew and unsafeUntil(r)
  if safe then
    r.isNew, r.owner, r.grant, r.ends, r.first = false, '?', '0', safe, now
    call('HSET', r.key, 'v', 1, 'o', '?', 'g', '0', 'x', safe, 'f', now, 't', 0)
    call('PEXPIRE', r.key, math.floor((safe - now) / 1000) + tombstone)
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
  r.first = math.max(r.last + 1, now)
  r.last = r.first + tokens - 1
  r.ends = now + lease
  call('HSET', r.key, 'v', 1, 'o', client, 'g', r.grant, 'r', r.run, 'x', r.ends, 'f', r.first,
    'm', marks, 't', r.last, 'l', label)
  call('PEXPIRE', r.key, math.floor(lease / 1000) + tombstone)
end

-- Takes the first live claim, and those of its client with the same lease directly behind it, out of
-- the queue, together with the dead before it; returns the client (nil if nobody is alive), the run's
-- claims, the sum of their tokens, how long the grant lasts at first, and the first one's label.
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
      owner, ownersLease, label = client, wishLease, label or wishLabel
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
    call('HDEL', r.key, 'o', 'g', 'r', 'x', 'f', 'm', 'l', r.arrival and 'l' or 'n')
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

-- Whether the next claims should have been let in: a grant is over, or a queue is without a holder.
local function isDue(r)
  return isOver(r) or (not r.owner and r.arrival)
end

local function admitIfDue(r)
  if isDue(r) then
    admit(r)
  end
end

-- Has the current grant end this long from now, or later if it does so already, and confirms it. The
-- first write is one that a full memory does not refuse.
local function prolong(r, leaseMillis)
  r.ends = math.max(r.ends, now + leaseMillis * 1000)
  call('PEXPIRE', r.key, math.ceil((r.ends - now) / 1000) + tombstone)
  if mark(r, 'u') then
    r.marks = mark(r, 's') and 's' or ''
    call('HSET', r.key, 'x', r.ends, 'm', r.marks)
  else
    call('HSET', r.key, 'x', r.ends)
  end
end

local function covers(r, claim)
  if r.owner ~= me then
    return false
  elseif r.run == '' then
    return r.grant == claim
  end
  return string.find(',' .. r.run .. ',', ',' .. claim .. ',', 1, true) ~= nil
end

-- Tells the client that was let in, if one was. Not needed where the caller's answer says it.
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
  if isFresh then
    keepQueue(r)
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
