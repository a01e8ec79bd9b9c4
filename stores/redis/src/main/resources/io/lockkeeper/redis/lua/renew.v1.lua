-- Sets the ends of grants, and their labels.
--
-- KEYS  for each grant: record, queue, who waits; or of one grant the record only
-- ARGV  1 client id
--       2 limits, see settle
--       then for each grant: its number, its lease from now in ms, "" or "=" and its new label
-- Returns for each grant
--       renewed, others wait     1 or 0 each; renewed only if the grant was current
--       -1, 0                    the record is not one of ours
--       all of it may stand in {9, ..., answer}: see greet

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include common

local answer = {}
for i = 1, math.ceil(#KEYS / 3) do
  local grant, leaseMillis, label = ARGV[3 * i], ARGV[3 * i + 1], ARGV[3 * i + 2]
  local r = resource(3 * i - 2)
  if r then
    guard(r, true) -- a holder that finds its record gone knows best that memory was lost
    admitIfDue(r)
    local isCurrent = r.owner == me and r.grant == grant
    if isCurrent then
      prolong(r, leaseMillis)
      if label ~= '' then
        call('HSET', r.key, 'l', string.sub(label, 2))
      end
    end
    tell(r)
    answer[2 * i - 1], answer[2 * i] = isCurrent and 1 or 0, othersWait(r, me)
  else
    answer[2 * i - 1], answer[2 * i] = -1, 0
  end
end
return #KEYS > 0 and informed(KEYS[1], answer) or answer
