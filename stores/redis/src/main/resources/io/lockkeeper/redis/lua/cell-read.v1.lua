-- Says what cells hold, and watches them. The head of cell-update says what the keys hold.
--
-- KEYS  for each cell: the cell, who watches it
-- ARGV  1 client id
--       2 how long a client watches, in ms
--       3 1 to write something behind what was read, so that the caller can wait for replicas to have
--         it all; 0 not to
--       then for each cell: 1 to watch it or 0 not to any more, the version that the client knows or 0
-- Returns for each cell one of
--       1, version, version with which it began, what it holds, remaining time or -1
--       2, version, remaining time or -1     it has the version that the client knows
--       0                                    it is not there
--       -1                                   it is not one of ours
--       Times are in microseconds.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, heartbeat, isToConfirm = ARGV[1], ARGV[2], ARGV[3] == '1'

local answer = {}

local function add(...)
  for _, element in ipairs({...}) do
    answer[#answer + 1] = element
  end
end

-- A memory that is full refuses a watcher; it looks by itself once in a while.
local function watch(watchers, isWatched)
  if isWatched == '1' then
    local added = redis.pcall('ZADD', watchers, string.format('%.0f', now + heartbeat * 1000), me)
    if type(added) == 'number' then
      call('PEXPIRE', watchers, heartbeat)
    elseif not string.find(added.err, 'OOM', 1, true) then
      error(added.err, 0)
    end
  else
    redis.pcall('ZREM', watchers, me)
  end
end

-- Writes something that changes nothing; for a cell that lasts, what a full memory does not refuse.
local function touch(cell, watchers, lasts)
  if lasts then
    call('PEXPIRE', cell, 86400000)
    call('PERSIST', cell)
  else
    call('ZADD', watchers, 0, '')
    call('ZREM', watchers, '')
  end
end

for i = 1, #KEYS / 2 do
  local cell, known = KEYS[2 * i - 1], ARGV[2 * i + 3]
  local h = redis.pcall('HMGET', cell, 'v', 'n', 'c', 'b', 'x')
  if h.err and not string.find(h.err, 'WRONGTYPE', 1, true) then
    error(h.err, 0)
  end
  if h.err or h[1] ~= '1' and (h[1] or call('EXISTS', cell) == 1) then
    add(-1)
  else
    watch(KEYS[2 * i], ARGV[2 * i + 2])
    local ends = tonumber(h[5])
    if isToConfirm then
      touch(cell, KEYS[2 * i], h[3] and not ends)
      isToConfirm = false -- one write is behind all that is read here
    end
    local left = ends and ends - now or -1
    if not h[3] or ends and left <= 0 then
      add(0)
    elseif h[2] == known then
      add(2, tonumber(h[2]), left)
    else
      add(1, tonumber(h[2]), tonumber(h[4]), h[3], left)
    end
  end
end
return answer
