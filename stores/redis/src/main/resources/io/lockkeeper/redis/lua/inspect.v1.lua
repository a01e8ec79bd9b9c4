-- Says of resources who holds them and who waits. Changes nothing.
--
-- KEYS  for each resource: record, queue, who waits; or of one resource the record only
-- ARGV  1 client id
--       2 limits, see settle
-- Returns for each resource one of
--       {1, holder's client id, grant, first token, remaining time, time since then, label, waiters}
--       {0, waiters}   nobody holds it
--       {-1}           the record is not one of ours
--       Waiters are how many wait, then for each: client id, claim, time since it came, label. Times
--       are in microseconds.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

local answers = {}

-- plain case: begin
-- Nobody waits, and the clock has not gone back, or the holder's lease is over.
local isAll = KEYS[3]
for i = 1, #KEYS / 3 do
  local h = redis.pcall('HMGET', KEYS[3 * i - 2], 'v', 'o', 'g', 'f', 'x', 'm', 'n', 'l')
  local isPlain = not h.err and h[1] == '1' and not h[7]
  if isPlain and h[2] then
    local span = string.match(h[6] or '', '^%a*(%d+)%.')
    if span and h[5] - span > now then
      isPlain = false
    elseif h[5] + 0 > now then
      answers[i] = {1, h[2], h[3], h[4] + 0, h[5] - now, math.max(0, now - h[4]), h[8] or '', 0}
    end
  end
  answers[i] = answers[i] or isPlain and {0, 0}
  isAll = isAll and answers[i]
end
if isAll then
  return answers
end
-- plain case: end

-- include common

local function inspect(i)
  local r = resource(3 * i - 2)
  if not r then
    return {-1}
  elseif isTorn(r) then
    return nil
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
  for at = 1, #queue, 2 do
    arrivals[queue[at]] = tonumber(queue[at + 1])
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
end

for i = 1, math.ceil(#KEYS / 3) do
  answers[i] = answers[i] or inspect(i)
  if not answers[i] then
    return tryAgain()
  end
end
return answers
