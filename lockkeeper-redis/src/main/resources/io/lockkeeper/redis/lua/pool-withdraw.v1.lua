-- Takes back a claim: out of the queue, or with its grant.
--
-- KEYS  1 record, 2 queue, 3 who waits, 4 grants by end, 5 limit that was set
-- ARGV  1 client id
--       2 limits: "<heartbeat> <claim deadline> <tombstone> <grace>" in ms
--       3 the claim's number
-- Returns
--       {1}   it is neither granted nor waiting now
--       {-1}  the record is not one of ours

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include pool-common

local member = me .. '.' .. ARGV[3]
local r = resource(1, member)
if not r then
  return {-1}
end
dropThoseOver(r)
local grant = r.grants[member]
if grant then
  takeBack(r, member, grant.permits)
elseif r.arrival and call('ZSCORE', r.queue, member) then
  r.wishes[member] = call('HGET', r.waiting, member)
  unqueue(r, {member})
end
admit(r)
save(r)
tell(r)
return {1}
