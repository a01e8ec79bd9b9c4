-- Says who holds a resource and who waits. Changes nothing.
--
-- KEYS  1 record, 2 queue, 3 who waits; or the record only
-- ARGV  1 client id
--       2 limits, see settle
-- Returns
--       {1, holder's client id, grant, first token, remaining time, time since then, label, waiters}
--       {0, waiters}   nobody holds it
--       {-1}           the record is not one of ours
--       Waiters are how many wait, then for each: client id, claim, time since it came, label. Times
--       are in microseconds.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include common

local r = resource(1)
if not r then
  return {-1}
elseif isTorn(r) then
  return tryAgain()
end
r.isOnlyShown = true
local answer = {0}
if r.owner and not isOver(r) then
  local label = call('HGET', r.key, 'l') or ''
  answer = {1, r.owner, r.grant, r.first, r.ends - now, math.max(0, now - r.first), label}
end
local count = #answer + 1
answer[count] = 0
if not r.queue then
  return answer
end
local arrivals = {}
local queue = call('ZRANGE', r.queue, 0, -1, 'WITHSCORES')
for i = 1, #queue, 2 do
  arrivals[queue[i]] = tonumber(queue[i + 1])
end
for member, client, claim in eachWaiting(r) do
  if isAlive(r, client) then
    local at = #answer
    answer[at + 1], answer[at + 2] = client, claim
    answer[at + 3] = math.max(0, now - (arrivals[member] or now))
    answer[at + 4] = string.match(r.wishes[member] or '', '%d+ %d+ ?(.*)') or ''
    answer[count] = answer[count] + 1
  end
end
return answer
