-- Says of shared resources who holds how much, who waits and what is out. Changes nothing.
--
-- KEYS  for each resource: record, queue, who waits, grants by end, limit that was set
-- ARGV  1 client id
--       2 limits, see settle
-- Returns for each resource one of
--       {1, limit or -1, holders, then for each holder: client id, number, token, permits, remaining
--        time, time since its begin, label; waiters, then for each waiter: client id, claim, permits,
--        time since it came, label}
--       {-1}   the record is not one of ours
--       Times are in microseconds.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include pool-common

local function inspect(i)
  local r = resource(i, '.')
  if not r then
    return {-1}
  end
  r.isOnlyShown = true
  local answer = {1, -1, 0}
  local fields = call('HGETALL', r.key)
  for f = 1, #fields, 2 do
    local client, claim = string.match(fields[f], '^([^.]+)%.(.*)')
    local grant = client and readGrant(fields[f + 1])
    if grant and grant.ends > now then
      local at = #answer
      answer[at + 1], answer[at + 2], answer[at + 3] = client, claim, grant.token
      answer[at + 4], answer[at + 5] = grant.permits, grant.ends - now
      answer[at + 6], answer[at + 7] = math.max(0, now - grant.token), grant.label
      answer[3] = answer[3] + 1
    end
  end
  local count = #answer + 1
  answer[count] = 0
  local arrivals = {}
  local queue = call('ZRANGE', r.queue, 0, -1, 'WITHSCORES')
  for q = 1, #queue, 2 do
    arrivals[queue[q]] = tonumber(queue[q + 1])
  end
  for member, client, claim in eachWaiting(r) do
    if isAlive(r, client) then
      local at = #answer
      local permits, _, _, label = readWish(r, member)
      answer[at + 1], answer[at + 2], answer[at + 3] = client, claim, permits
      answer[at + 4], answer[at + 5] = math.max(0, now - (arrivals[member] or now)), label
      answer[count] = answer[count] + 1
    end
  end
  local limit = (answer[count] > 0 or answer[3] > 0) and r.limit
  if not limit and r.kind == 'sem' then
    limit = call('GET', r.ownLimit)
  end
  answer[2] = tonumber(limit or -1)
  return answer
end

local answers = {}
for i = 1, #KEYS / KEYS_EACH do
  answers[i] = inspect(i)
end
return answers
