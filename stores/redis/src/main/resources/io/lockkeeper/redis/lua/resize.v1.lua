-- Changes how many permits a semaphore has, and admits the claims that it makes room for. A copy of
-- a request that was carried out changes nothing.
--
-- KEYS  1 record, 2 queue, 3 waiters, 4 grants beside, 5 limit that was set, 6 changes made
-- ARGV  1 client id
--       2 limits, see settle
--       3 the request's number
--       4 what to do: S to set the limit, A to add to it, G to give up the one that was set
--       5 the limit, or what to add
--       6 the limit that is added to where there is none
--       7 how long to know that the change was made, in ms
-- Returns
--       {1, limit}  the change was made, now or before; the limit now, or -1 if there is none
--       {0, limit}  it does not fit into 31 bits: the limit is as it was
--       {-1}        the record is not one of ours

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include common

local LARGEST = 2147483647

local kind, memory = ARGV[4], KEYS[6]
local member = me .. '.' .. ARGV[3]
local r = resource(1)
if not r then
  return {-1}
elseif not r.queue then
  return tryAgain()
end
guard(r, false)
dropThoseOver(r)
admit(r)
tidy(r)
local current = r.limit or tonumber(call('GET', r.ownLimit) or nil)
local isNew = now >= tonumber(call('ZSCORE', memory, member) or 0)
local after = tonumber(ARGV[5])
if kind == 'A' then
  after = (current or tonumber(ARGV[6])) + after
end
local fits = kind == 'G' or after >= 0 and after <= LARGEST
if isNew and fits then
  -- Refused if the memory is full: then nothing has changed. Giving up twice is giving up once.
  redis[kind == 'G' and 'pcall' or 'call']('ZADD', memory, integer(now + ARGV[7] * 1000), member)
  call('ZREMRANGEBYSCORE', memory, '-inf', integer(now))
  if kind == 'G' then
    call('DEL', r.ownLimit)
    current = r.limit
  else
    call('SET', r.ownLimit, integer(after))
    current = after
    if r.limit then
      r.limit = after
    end
  end
end
if fits or not isNew then
  -- Also a copy writes, so that the caller can wait for replicas to have what it copies.
  local last = call('ZRANGE', memory, -1, -1, 'WITHSCORES')[2]
  call('PEXPIRE', memory, math.ceil(((last or now) - now) / 1000))
end
admit(r)
save(r)
tell(r)
return {(not isNew or fits) and 1 or 0, current or -1}
