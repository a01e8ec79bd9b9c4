-- Returns the holders, the waiters and the permits out of resources. Changes nothing.
--
-- KEYS  for each resource: record, queue, waiters, and the further ones of its kind; or of one resource
--       fewer, see common
-- ARGV  1 client id
--       2 limits, see settle
-- Returns for each resource one of
--       {1, limit or -1, holders, then for each holder: client id, number, first token, permits, remaining
--        time, time since its begin, label; waiters, then for each waiter: client id, claim, permits,
--        time since it came, label}
--       {-1}   the record is not one of ours
--       Times are in microseconds.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

local answers = {}

-- plain case: begin
-- Nobody waits, all that is out is one grant, and the clock has not gone back.
local i, at, isAll = 1, 1, KEYS[3]
while KEYS[at] do
  local kind = string.match(KEYS[at], '}:?(%a*)$')
  local h = redis.pcall('HMGET', KEYS[at], 'v', 'o', 'n', 'u', 'l')
  local isPlain = not h.err and h[1] == '1' and not (h[3] or h[4])
  local client, number, since, span, permits, first, label = string.match(isPlain and h[2] or '',
    '^([^.]+)%.(%S+) (%d+) (%d+) (%d+) (%d+) %d+ %a*[%d,]*|(.*)$')
  if client and since + 0 <= now and since + span > now then
    answers[i] = {1, kind == '' and 1 or tonumber(h[5] or -1), 1, client, number, first + 0, permits + 0,
      since + span - now, math.max(0, now - first), label, 0}
  elseif isPlain and kind == '' and (client and since + 0 <= now or not h[2]) then
    answers[i] = {1, 1, 0, 0}
  else
    isAll = false
  end
  i, at = i + 1, at + (kind == '' and 3 or kind == 'rw' and 4 or 5)
end
if isAll then
  return answers
end
-- plain case: end

-- include common

local function inspect(at)
  local r = resource(at)
  if not r then
    return {-1}
  elseif isTorn(r) or not r.queue and not r.isLock then
    return nil
  end
  r.isOnlyShown = true
  local answer = {1, -1, 0}
  for _, member in ipairs(readAll(r)) do
    local grant = r.grants[member]
    if grant and grant.ends > now then
      local n = #answer
      answer[n + 1], answer[n + 2], answer[n + 3] = grant.client, grant.number, grant.first
      answer[n + 4], answer[n + 5] = grant.permits, grant.ends - now
      answer[n + 6], answer[n + 7] = math.max(0, now - grant.first), grant.label
      answer[3] = answer[3] + 1
    end
  end
  local count = #answer + 1
  answer[count] = 0
  if r.queue then
    local arrivals = {}
    local queue = call('ZRANGE', r.queue, 0, -1, 'WITHSCORES')
    for q = 1, #queue, 2 do
      arrivals[queue[q]] = tonumber(queue[q + 1])
    end
    for member, client, claim in eachWaiting(r) do
      if isAlive(r, client) then
        local n, wish = #answer, readWish(r, member)
        answer[n + 1], answer[n + 2], answer[n + 3] = client, claim, wish.permits
        answer[n + 4], answer[n + 5] = math.max(0, now - (arrivals[member] or now)), wish.label
        answer[count] = answer[count] + 1
      end
    end
  end
  local limit = (r.isLock or answer[count] > 0 or answer[3] > 0) and r.limit
  if not limit and r.kind == 'sem' then
    limit = call('GET', r.ownLimit)
  end
  answer[2] = tonumber(limit or -1)
  return answer
end

for n, from in eachResource() do
  answers[n] = answers[n] or inspect(from)
  if not answers[n] then
    return tryAgain()
  end
end
return answers
