-- Says who holds a resource and how many wait. Changes nothing.
--
-- KEYS  1 record, 2 queue, 3 who waits
-- ARGV  1 client id
--       2 limits: "<heartbeat> <claim deadline> <tombstone> <grace>" in ms
-- Returns
--       {1, waiting, holder's client id, grant, first token, remaining time}
--       {0, waiting}   nobody holds it
--       {-1}           the record is not one of ours
--       Times are in microseconds.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include common

local r = resource(1)
if not r then
  return {-1}
end
local waiting = 0
for _, client in eachWaiting(r) do
  if isAlive(r, client) then
    waiting = waiting + 1
  end
end
if not r.owner or isOver(r) then
  return {0, waiting}
end
return {1, waiting, r.owner, r.grant, r.first, r.ends - now}
