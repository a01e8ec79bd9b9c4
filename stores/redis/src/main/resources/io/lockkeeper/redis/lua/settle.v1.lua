-- What scripts need that must not trust a memory that may have gaps. It takes the place of the line
-- "-- include settle", where now, call, me and limits are given.
--
-- limits = "<how> <server> <known> <tombstone> <heartbeat> <claim deadline> <grace> <clock> <window>",
-- times in ms except for the clock:
--   how      what the caller knows about gaps in this server's memory:
--            o  whatever was forgotten is over
--            n  nothing
--            c  nothing, but replicas have confirmed what is in the records
--            g  they are no matter
--   server   the first 16 letters of this server's run_id; - if the caller does not know it
--            * on a cluster, which has neither mark nor index
--   known    the mark's id, as the caller knows it from before; - if it has never known one
--   grace    the longest lease that the caller has asked for
--   clock    what the clock of the server that the caller had before would show now, in microseconds;
--            0 if it had none
--   window   for how long after its start a server without a mark waits for clients from before, and
--            at least half of it; 0 to wait until all leases from before its start are over
--
-- The mark is the string <ns>:mark, "<server> <id> <safe> <longest> <floor> <waited>":
--   server   whose memory it speaks of
--   id       made anew where there was no mark
--   safe     until when this server may not remember leases that are still valid. As long as longest
--            is 0: since when that is so, or 0
--   longest  the longest lease that anybody has asked for, in microseconds; 1 if nobody has, and safe
--            is the end of a window
--   floor    no new token may be smaller
--   waited   ids of marks that were forgotten, the latest first, separated by commas

local how, server, known, tombstone, heartbeat, claimDeadline, grace, clock, window =
  string.match(limits, '^(%a) (%S+) (%S+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)$')
heartbeat, claimDeadline, tombstone = heartbeat * 1000, claimDeadline * 1000, tombstone + 0
grace, clock, window = grace * 1000, clock + 0, window * 1000

-- include index

local MAX_WAITED = 200

-- A server that has been running for so long, in microseconds, was reached by every client that can
-- reach it; then it would have a mark.
local YOUNG = 30000000

local settled -- the mark, once it was read

-- Has the server say who it is, and for how many microseconds it has been running at least: it counts
-- in seconds of the clock, and may be younger by one. It is not known if the account may not ask.
local function ask()
  local info = redis.pcall('INFO', 'server')
  if type(info) ~= 'string' then
    return '?', nil
  end
  local age = string.match(info, 'uptime_in_seconds:(-?%d+)')
  return string.sub(string.match(info, 'run_id:(%w+)') or '?', 1, 16),
    age and math.max(0, age - 1) * 1000000
end

local function readMark(text)
  local m = {}
  m.server, m.id, m.safe, m.longest, m.floor, m.waited =
    string.match(text or '', '^(%S+) (%S+) (%d+) (%d+) (%d+) ?(%S*)$')
  m.safe, m.longest, m.floor = tonumber(m.safe or 0), tonumber(m.longest or 0), tonumber(m.floor or 0)
  return m
end

-- Brings the mark up to date.
local function update(m, age, isNews)
  local isFromBefore = known ~= '-' and known ~= m.id
  local isStrange = m.id and isFromBefore
    and not string.find(',' .. m.waited .. ',', ',' .. known .. ',', 1, true)
  local isOther = m.server ~= server and m.server ~= '?' and server ~= '?'
  local since -- since when leases may be forgotten, if that is to be judged anew
  if not m.id then
    m.id, m.server, m.waited = string.format('%s.%.0f', me, now), server, ''
    isStrange = isFromBefore
    if isStrange or window == 0 then
      since = isStrange and now or age and now - age or 0
    else
      local young = age or 0
      m.safe, m.longest = young < YOUNG and now + math.max(window - young, window / 2) or 0, 1
    end
  elseif isStrange or isOther then
    since = now
  elseif m.longest == 0 then
    since = m.safe
  elseif isFromBefore and grace > m.longest and m.safe > now then
    since = m.safe - m.longest -- this client may have a lease that is longer than those known so far
  end
  if server ~= '?' then
    m.server = server
  end
  m.longest = math.max(m.longest, grace)
  if since then
    m.safe = since == 0 and 0 or since + m.longest
  end
  m.safe = math.min(m.safe, now + math.max(m.longest, window)) -- the clock may have gone back
  if isStrange then
    m.waited = m.waited == '' and known or string.sub(known .. ',' .. m.waited, 1, MAX_WAITED)
  end
  if isNews and clock > math.max(now, m.floor) then
    m.floor = clock
  end
end

local function write(namespace, mark)
  local reply = redis.pcall('SET', namespace .. 'mark', mark)
  if reply.err and not string.find(reply.err, 'OOM', 1, true) then
    error(reply.err, 0)
  end
end

-- Returns the mark of a namespace, given by the beginning of its keys, and sees to it that it speaks of
-- this server. What a full memory refuses is found out again next time.
local function settle(namespace)
  if settled then
    return settled
  end
  local text = call('GET', namespace .. 'mark')
  local m, isNews, age = readMark(text), server == '-', nil
  if isNews then
    server, age = ask()
  end
  local isFirst = not m.id
  update(m, age, isNews)
  local new = string.format('%s %s %.0f %.0f %.0f %s', m.server, m.id, m.safe, m.longest, m.floor,
    m.waited)
  if new ~= text then
    write(namespace, new)
  end
  if isFirst then
    redis.pcall('ZADD', namespace .. 'names', 0, '*') -- no record has begun before the mark
    redis.pcall('PEXPIRE', namespace .. 'names', 86400000)
  end
  settled = m
  return m
end

-- Enters a record that has begun into the index.
local function begun(key)
  if server ~= '*' then
    enter(key)
  end
end

local function namespaceOf(key)
  return string.match(key, '^[^{]*')
end

-- Until when records cannot be relied on; nil if they can.
local function unsafeUntil(r)
  local safe = settle(namespaceOf(r.key)).safe
  return safe > now and safe or nil
end

-- The smallest token that may be given now.
local function tokenFloor()
  return math.max(now, settled and settled.floor or 0)
end

-- Puts in front of an answer what the caller is to know about this server, if it did not.
local function informed(key, answer)
  if how ~= 'n' and how ~= 'c' then
    return answer
  end
  local m = settle(namespaceOf(key))
  return {9, server, m.id, math.max(0, m.safe - now), math.max(0, m.floor - now), m.longest / 1000,
    now, answer}
end
