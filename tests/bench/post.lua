-- wrk: posts the lines of a file one after the other, with a key, and prints one line of JSON.
--
-- usage: wrk ... -s post.lua URL -- BODIES_FILE [KEY]

local prepared = {}
local turn = 0

function init(args)
   local headers = { ["Content-Type"] = "application/json" }
   if args[2] and args[2] ~= "" then
      headers["Authorization"] = "Bearer " .. args[2]
   end
   for line in io.lines(args[1]) do
      prepared[#prepared + 1] = wrk.format("POST", nil, headers, line)
   end
end

function request()
   turn = turn % #prepared + 1
   return prepared[turn]
end

function done(summary, latency, requests)
   local e = summary.errors
   io.write(string.format(
      '{"requests":%d,"seconds":%.6f,"p50_us":%.1f,"p90_us":%.1f,"p99_us":%.1f,"max_us":%.1f,"failed":%d,"bytes":%d}\n',
      summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(90),
      latency:percentile(99), latency.max, e.connect + e.read + e.write + e.status + e.timeout, summary.bytes))
end
