-- Says who clients are. Changes nothing.
--
-- KEYS  their entries
-- ARGV  none
-- Returns for each
--       {"<process id>\n<host>\n<name>"}, or an empty text if it is not known

local answer = {}
for i, key in ipairs(KEYS) do
  local entry = redis.pcall('GET', key)
  answer[i] = type(entry) == 'string' and entry or ''
end
return answer
