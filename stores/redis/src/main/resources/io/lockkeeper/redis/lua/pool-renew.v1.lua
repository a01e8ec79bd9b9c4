-- Sets the ends of grants, and takes back permits.
--
-- KEYS  for each grant: record, queue, who waits, grants by end, limit that was set; or of one grant
--       record and grants by end
-- ARGV  1 client id
--       2 limits, see settle
--       then for each grant: its owner's client id, its number, its lease from now in ms, how many
--       permits it keeps or 0 for all
-- Returns for each grant
--       1, 0    it was current, 0, 0 if not
--       -1, 0   the record is not one of ours

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include pool-common

local function renew(i)
  local member = ARGV[4 * i - 1] .. '.' .. ARGV[4 * i]
  local leaseMillis, kept = ARGV[4 * i + 1], tonumber(ARGV[4 * i + 2])
  local r = resource(i, member)
  if not r then
    return -1
  end
  guard(r, true) -- a holder that finds its record gone knows best that memory was lost
  dropThoseOver(r)
  local grant = r.grants[member]
  -- What another client wants for a holder does not prove that the holder is one still.
  if grant and (ARGV[4 * i - 1] == me or not isDoubtful(r, grant)) then
    prolong(r, member, leaseMillis)
    if kept > 0 and kept < grant.permits then
      r.out = r.out - grant.permits + kept
      grant.permits = kept
    end
  end
  admit(r)
  save(r)
  tell(r)
  return grant and 1 or 0
end

local answer = {}
for i = 1, math.ceil(#KEYS / KEYS_EACH) do
  answer[2 * i - 1], answer[2 * i] = renew(i), 0
end
return #KEYS > 0 and informed(KEYS[1], answer) or answer
