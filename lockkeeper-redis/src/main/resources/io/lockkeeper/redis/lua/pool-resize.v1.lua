-- Sets how many permits a semaphore has, and lets in whom that makes room for.
--
-- KEYS  1 record, 2 queue, 3 who waits, 4 grants by end, 5 limit that was set
-- ARGV  1 client id
--       2 limits, see settle
--       3 the limit, or -1 to give up the one that was set
-- Returns
--       {1}   it is set
--       {-1}  the record is not one of ours

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include pool-common

local r = resource(1, '.')
if not r then
  return {-1}
end
if ARGV[3] == '-1' then
  call('DEL', r.ownLimit)
else
  call('SET', r.ownLimit, ARGV[3])
  if r.limit then
    r.limit = tonumber(ARGV[3])
  end
end
guard(r, false)
dropThoseOver(r)
admit(r)
save(r)
tell(r)
return {1}
