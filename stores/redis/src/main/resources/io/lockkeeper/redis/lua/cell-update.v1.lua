-- Makes changes of one cell, in order and once.
--
-- The cell is a hash with the fields
--   v  1, the version of all this
--   n  the version of its latest change
--   c  what it holds; without it the cell is not there, and the rest is a tombstone
--   b  the version with which it was begun
--   x  when its time to live is over; without it there is none
-- Who watches it is a sorted set of client ids by the end of their watching. What a client's last
-- update did is a string, as it is answered. Times are microseconds of this server's clock unless
-- they say "ms"; versions are such times too, moved up where necessary so that they grow.
--
-- KEYS  1 the cell, 2 who watches it, 3 what this client's last update did; 4 the index, if there is one
-- ARGV  1 client id
--       2 the update's number
--       3 how long to remember the results, in ms
--       4 how long to keep a tombstone, in ms
--       then for each change a letter and what belongs to it:
--         c  value, time to live in ms or 0            begin, unless it is there
--         p  value, time to live in ms or 0            set
--         r  version, value, time to live in ms or 0   set, if it has this version
--         n  expected number, number                   set, if it holds the expected number
--         a  number, floor or empty, begin             add; begin: 1 if a cell may be begun
--         m  number                                    raise to at least
--         d                                            end
-- Returns
--       results   "<the update's number>" and for each change " <verdict> <version> <before>
--                 <after>": 0 done, 1 unmet, 2 not a number, 3 too large; version 0 if the cell
--                 is not there; before and after are numbers, 0 if there is none
--       0         a later update of this client came before this one
--       -1        the cell is not one of ours

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local cell, watchers, memory = KEYS[1], KEYS[2], KEYS[3]
local me, batch, remember, tombstone = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local DONE, UNMET, NOT_A_NUMBER, OVERFLOW = '0', '1', '2', '3'

local h = redis.pcall('HMGET', cell, 'v', 'n', 'c', 'b', 'x')
if h.err and not string.find(h.err, 'WRONGTYPE', 1, true) then
  error(h.err, 0)
end
if h.err or h[1] ~= '1' and (h[1] or call('EXISTS', cell) == 1) then
  return -1
end
local last = call('GET', memory)
if last then
  local number = tonumber(string.match(last, '^%d+'))
  if number == tonumber(batch) then
    call('PEXPIRE', memory, remember) -- a write, so that the caller can wait for replicas to have it
    return last
  elseif number > tonumber(batch) then
    return 0
  end
end

local function text(time)
  return string.format('%.0f', time)
end

-- Returns the text if it is a number of 64 bits.
local function number(value)
  if #value > 20 then
    return nil
  end
  local sign, digits = string.match(value, '^(%-?)([1-9]%d*)$')
  local isNumber = value == '0' or digits and (#digits < 19 or #digits == 19
    and digits <= (sign == '' and '9223372036854775807' or '9223372036854775808'))
  return isNumber and value or nil
end

-- plain case: begin
-- Beginning, setting and ending, without a time to live, and adding with numbers that Lua's own are
-- exact for. Returns nil, with nothing changed, if there is anything else.
local function doPlainly()
  local content, version, stamp, born, isChanged = h[3], tonumber(h[2]) or 0, h[2], h[4], false
  local before = content and number(content) or not content and '0' or nil
  local results, count, at, top = {batch}, 1, 5, #ARGV
  while at <= top do
    local letter, value, limit = ARGV[at], ARGV[at + 1], ARGV[at + 2]
    local isSet, verdict = false, DONE
    if letter == 'a' then
      local begin = ARGV[at + 3]
      at = at + 4
      if not before then
        verdict = NOT_A_NUMBER
      elseif not content and begin == '0' then
        verdict = UNMET
      elseif #before > 15 or #value > 15 or #limit > 15 then
        return nil
      else
        local isFloored = limit ~= '' and string.sub(value, 1, 1) == '-'
        if not (isFloored and content and before + 0 <= limit + 0) then
          local total = before + value
          value = text(isFloored and total < limit + 0 and math.min(before, limit) or total)
          isSet = value ~= content
        end
      end
    elseif (letter == 'c' or letter == 'p') and limit == '0' then
      at = at + 3
      isSet = letter == 'p' or not content
      verdict = isSet and DONE or UNMET
    elseif letter == 'd' then
      at = at + 1
      isSet, value = content, false
      verdict = isSet and DONE or UNMET
    else
      return nil
    end
    local after = before
    if isSet then
      version, isChanged = math.max(version + 1, now), true
      stamp = text(version)
      born = content and born or stamp
      content = value
      after = content and number(content) or not content and '0' or nil
    end
    results[count + 1], results[count + 2] = verdict, content and stamp or '0'
    results[count + 3], results[count + 4] = before or '0', after or '0'
    count, before = count + 4, after
  end
  if isChanged and not content then
    call('HDEL', cell, 'c', 'b')
    call('HSET', cell, 'v', 1, 'n', stamp)
    call('PEXPIRE', cell, tombstone)
  elseif isChanged and born == h[4] then
    call('HSET', cell, 'n', stamp, 'c', content)
  elseif isChanged then
    call('HSET', cell, 'n', stamp, 'c', content, 'b', born, 'v', 1)
    call('PERSIST', cell)
  end
  return table.concat(results, ' ')
end

if not h[5] and call('ZCARD', watchers) == 0 then
  local answer = doPlainly()
  if answer then
    call('SET', memory, answer, 'PX', remember)
    if not h[1] and KEYS[4] then
-- include index
      enter(cell)
    end
    return answer
  end
end
-- plain case: end

local watching = call('ZRANGEBYSCORE', watchers, '(' .. text(now), '+inf')
local version, content, born, ends = tonumber(h[2]) or 0, h[3], h[4], tonumber(h[5])
if content and ends and ends <= now then
  call('HDEL', cell, 'c', 'b', 'x')
  content, ends = false, nil
end
local wasThere, endedBefore, stored, isChanged = content, ends, content, false

-- Whether one number is less than another. Exact: Lua's own numbers have 53 bits.
local function less(a, b)
  local aIsNegative, bIsNegative = string.sub(a, 1, 1) == '-', string.sub(b, 1, 1) == '-'
  if aIsNegative ~= bIsNegative then
    return aIsNegative
  elseif aIsNegative then
    a, b = b, a
  end
  if #a ~= #b then
    return #a < #b
  end
  return a < b
end

local function set(value, limit)
  version = math.max(version + 1, now)
  if not content then
    born = text(version)
  end
  content, ends, isChanged = value, limit, true
  return DONE
end

local function setNumber(value)
  if content == value then
    return DONE
  end
  return set(value, ends)
end

local function limit(ttl)
  return ttl ~= '0' and now + ttl * 1000 or nil
end

-- Returns the sum, or nil and an error.
local function sum(delta)
  if stored ~= content then
    if content then
      call('HSET', cell, 'v', 1, 'c', content)
    else
      call('HDEL', cell, 'c')
    end
  end
  local reply = redis.pcall('HINCRBY', cell, 'c', delta)
  stored = call('HGET', cell, 'c') -- the reply itself came through a number of 53 bits
  if type(reply) == 'table' then
    return nil, reply
  end
  return stored
end

local refusal

local function add(before, delta, floor)
  local isFloored = floor ~= '' and string.sub(delta, 1, 1) == '-'
  if isFloored and not less(floor, before) and content then
    return DONE
  end
  local total, failure = sum(delta)
  local overflows = failure and string.find(failure.err, 'overflow', 1, true)
  if failure and not overflows then
    refusal = failure
    return DONE
  end
  if isFloored and (overflows or less(total, floor)) then
    total = less(before, floor) and before or floor
  elseif overflows then
    return OVERFLOW
  end
  if content == total then
    return DONE
  end
  return set(total, ends)
end

local at = 5
local function argument()
  at = at + 1
  return ARGV[at - 1]
end

local changes = {}

function changes.c()
  local value, ttl = argument(), argument()
  return content and UNMET or set(value, limit(ttl))
end

function changes.p()
  local value, ttl = argument(), argument()
  return set(value, limit(ttl))
end

function changes.r()
  local expected, value, ttl = argument(), argument(), argument()
  return (not content or text(version) ~= expected) and UNMET or set(value, limit(ttl))
end

function changes.n(before)
  local expected, value = argument(), argument()
  return not before and NOT_A_NUMBER or before ~= expected and UNMET or setNumber(value)
end

function changes.a(before)
  local delta, floor, begin = argument(), argument(), argument()
  return not before and NOT_A_NUMBER or not content and begin == '0' and UNMET
    or add(before, delta, floor)
end

function changes.m(before)
  local value = argument()
  return not before and NOT_A_NUMBER or setNumber(less(before, value) and value or before)
end

function changes.d()
  if not content then
    return UNMET
  end
  set(false, nil)
  return DONE
end

local results = {batch}
while at <= #ARGV do
  local letter = argument()
  local before
  if content then
    before = number(content)
  else
    before = '0'
  end
  local verdict = changes[letter](before)
  if refusal then
    return refusal -- it can only be the first write that is refused: nothing has changed
  end
  local i = #results
  results[i + 1], results[i + 2] = verdict, content and text(version) or '0'
  results[i + 3], results[i + 4] = before or '0', content and number(content) or '0'
end

local function store()
  if not content then
    call('HDEL', cell, 'c', 'b', 'x')
    call('HSET', cell, 'v', 1, 'n', text(version))
    call('PEXPIRE', cell, tombstone)
    return
  end
  local fields = {'n', text(version)}
  if not wasThere or stored ~= content or born ~= h[4] then
    fields[3], fields[4], fields[5], fields[6], fields[7], fields[8] = 'v', 1, 'b', born, 'c', content
  end
  call('HSET', cell, unpack(fields))
  if ends then
    call('HSET', cell, 'x', text(ends))
    call('PEXPIRE', cell, math.ceil((ends - now) / 1000) + tombstone)
  elseif not wasThere or endedBefore then
    call('HDEL', cell, 'x')
    call('PERSIST', cell)
  end
end

local function tell()
  local channel = string.match(cell, '^[^{]*') .. 'c:'
  local name, kind = string.match(cell, '{([^}]*)}:(%a+)$')
  for _, client in ipairs(watching) do
    if client ~= me then
      call('ZREM', watchers, client)
      redis.pcall('PUBLISH', channel .. client, 'C|' .. kind .. '|' .. name)
    end
  end
end

if isChanged then
  store()
  if not h[1] and KEYS[4] then
-- include index
    enter(cell)
  end
  tell()
end
local answer = table.concat(results, ' ')
call('SET', memory, answer, 'PX', remember)
return answer
