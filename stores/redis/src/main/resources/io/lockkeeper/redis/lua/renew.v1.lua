-- Sets the ends of grants, takes back permits, and sets labels.
--
-- KEYS  for each grant: record, queue, who waits, and the further ones of its kind; or of one grant fewer,
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

local answer = {}
for i, at in eachResource() do
  local owner = ARGV[4 * i + 1]
  local member = (owner == '' and me or owner) .. '.' .. ARGV[4 * i - 1]
  local r = resource(at, member)
  if r and r.beside > 0 and not r.byEnd then
    return tryAgain()
  end
  answer[2 * i - 1] = r and renew(r, member, ARGV[4 * i], ARGV[4 * i + 2]) or -1
  answer[2 * i] = r and othersWait(r, me) or 0
end
return #KEYS > 0 and informed(KEYS[1], answer) or answer
