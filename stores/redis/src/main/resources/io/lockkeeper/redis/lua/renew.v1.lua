-- Sets the ends of grants, takes back permits, and sets labels.
--
-- KEYS  for each grant: record, queue, waiters, and the further ones of its kind; or of one grant fewer,
--       see common
-- ARGV  1 client id
--       2 limits, see settle
--       then for each grant: its number, its lease from now in ms, its owner's client id or nothing for the
--       caller, and nothing, "=" and its new label, or how many permits it keeps
-- Returns for each grant
--       renewed, others wait     1 or 0 each; renewed only if the grant was current
--       -1, 0                    the record is not one of ours
--       all of it may stand in {9, ..., answer}: see greet

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

local answer = {}

-- plain case: begin
-- The grant is the only one, nobody waits, and the clock has not gone back.
local how, tombstone = string.match(limits, '^(%a) %S+ %S+ (%d+)')
-- Formatting is slow, so the two texts that the time came in are put together where they can be.
local nowText = #time[2] == 6 and time[1] .. time[2] or string.format('%.0f', now)
local i, at, isAll = 1, 1, how == 'o' or how == 'g'
while isAll and KEYS[at] do
  local member, kind = me .. '.' .. ARGV[4 * i - 1], string.match(KEYS[at], '}:?(%a*)$')
  local h = redis.pcall('HMGET', KEYS[at], 'v', 'o', 't', 'n', 'u', 'e', 'w')
  local holder, since, span, rest, marks, claims = string.match(not h.err and h[2] or '',
    '^(%S+) (%d+) (%d+) (%d+ %d+ %d+ )(%a*)(.*)$')
  if h[1] == '1' and holder == member and not (h[4] or h[5] or h[6] or how == 'g' and h[7])
      and since + 0 <= now and since + span > now and ARGV[4 * i + 1] == '' and ARGV[4 * i + 2] == '' then
    if now + ARGV[4 * i] * 1000 > since + span then
      since, span = nowText, ARGV[4 * i] .. '000'
    end
    -- The first write is one that a full memory does not refuse.
    call('PEXPIRE', KEYS[at], math.ceil((math.max(since + span, h[3]) - now) / 1000) + tombstone)
    call('HSET', KEYS[at], 'o', member .. ' ' .. since .. ' ' .. span .. ' ' .. rest
      .. (string.sub(marks, 1, 1) == 's' and 's' or '') .. claims)
    answer[2 * i - 1], answer[2 * i] = 1, 0
  else
    answer[2 * i - 1] = false
  end
  i, at = i + 1, at + (kind == '' and 3 or kind == 'rw' and 4 or 5)
end
for n = 1, i - 1 do
  isAll = isAll and answer[2 * n - 1]
end
if isAll then
  return answer
end
-- plain case: end

-- include common

local function renew(r, member, leaseMillis, change)
  guard(r, true) -- a holder that finds its record gone knows best that memory was lost
  dropThoseOver(r)
  local grant, kept = r.grants[member], tonumber(change)
  -- What another client wants for a holder does not prove that the holder is one still.
  if grant and (grant.client == me or not isDoubtful(r, grant)) then
    prolong(r, member, leaseMillis)
    if string.sub(change, 1, 1) == '=' then
      grant.label = string.sub(change, 2)
    elseif kept and kept < grant.permits then
      r.beside = r.beside - (member == r.inside and 0 or grant.permits - kept)
      grant.permits = kept
    end
  end
  admit(r)
  save(r)
  tell(r)
  return grant and 1 or 0
end

for i, at in eachResource() do
  local owner = ARGV[4 * i + 1]
  local member = (owner == '' and me or owner) .. '.' .. ARGV[4 * i - 1]
  local r = not answer[2 * i - 1] and resource(at, member)
  if r and r.beside > 0 and not r.byEnd then
    return tryAgain()
  elseif not answer[2 * i - 1] then
    answer[2 * i - 1] = r and renew(r, member, ARGV[4 * i], ARGV[4 * i + 2]) or -1
    answer[2 * i] = r and othersWait(r, me) or 0
  end
end
return #KEYS > 0 and informed(KEYS[1], answer) or answer
