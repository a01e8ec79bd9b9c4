-- Has this server's mark made or brought up to date.
--
-- KEYS  1 the mark
-- ARGV  1 client id
--       2 limits
-- Returns
--       {9, server, the mark's id, time until no forgotten lease is valid, time until the clock has
--        reached the tokens of the server before, longest lease in ms, now, 1}
--       Times are in microseconds of this server's clock.

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local me, limits = ARGV[1], ARGV[2]

-- include settle

settle(string.match(KEYS[1], '^(.*)mark$'))
return informed(KEYS[1], 1)
