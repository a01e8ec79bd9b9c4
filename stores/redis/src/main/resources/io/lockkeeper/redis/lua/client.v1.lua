-- Writes down who a client is, or forgets it.
--
-- KEYS  1 the client's entry
-- ARGV  1 "<process id>\n<host>\n<name>"
--       2 how long to keep it, in ms; 0 to forget it
-- Returns
--       {1}

if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return {1}
