-- wrk: posts the lines of a file in turn with the keys of another, waits between two requests of a connection, and
-- counts the answers by status and problem code; nothing ends the run. Prints one line of JSON.
--
-- usage: wrk ... -s loaded.lua URL -- BODIES_FILE KEYS_FILE WAIT_MS WARM_SECONDS
--
-- Answers of the first seconds are not counted: connections are made in them.

local ffi = require("ffi")
ffi.cdef("typedef struct { long s; long ns; } moment; int clock_gettime(int clock, moment *now);")

local threads = {}
local prepared = {}
local turn = 0
local wait = 0
local moment = ffi.new("moment")
local counted_from = 0
counts = {}

local function now()
   ffi.C.clock_gettime(1, moment)
   return tonumber(moment.s) + tonumber(moment.ns) / 1e9
end

function setup(thread)
   threads[#threads + 1] = thread
end

local function lines(path)
   local all = {}
   for line in io.lines(path) do
      all[#all + 1] = line
   end
   return all
end

function init(args)
   local bodies, keys = lines(args[1]), lines(args[2])
   wait = tonumber(args[3])
   counted_from = now() + tonumber(args[4])
   for number = 1, #bodies * #keys do
      local headers = { ["Content-Type"] = "application/json" }
      headers["Authorization"] = "Bearer " .. keys[(number - 1) % #keys + 1]
      -- Every key meets every body.
      local body = bodies[math.floor((number - 1) / #keys) % #bodies + 1]
      prepared[number] = wrk.format("POST", nil, headers, body)
   end
   -- Without a wait the function must not be there: wrk would set a timer for each request.
   if wait > 0 then
      delay = function() return wait * (0.5 + math.random()) end
   end
end

function request()
   turn = turn % #prepared + 1
   return prepared[turn]
end

function response(status, headers, body)
   if now() < counted_from then
      return
   end
   local kind = status
   if status ~= 200 then
      kind = status .. " " .. (string.match(body, '"code":%s*"([%w_]+)"') or "no code")
      if not (headers["retry-after"] or headers["Retry-After"]) then
         kind = kind .. " without Retry-After"
      end
   end
   kind = tostring(kind)
   counts[kind] = (counts[kind] or 0) + 1
end

function done(summary, latency, requests)
   local all = {}
   for _, thread in ipairs(threads) do
      for kind, count in pairs(thread:get("counts")) do
         all[kind] = (all[kind] or 0) + count
      end
   end
   local shown = {}
   for kind, count in pairs(all) do
      shown[#shown + 1] = string.format('"%s":%d', kind, count)
   end
   local e = summary.errors
   io.write(string.format(
      '{"requests":%d,"seconds":%.6f,"p50_us":%.1f,"p99_us":%.1f,"max_us":%.1f,"broken":%d,"timeouts":%d,"answers":{%s}}\n',
      summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99), latency.max,
      e.connect + e.read + e.write, e.timeout, table.concat(shown, ",")))
end
