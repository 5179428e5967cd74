-- What costs most by itself?
SELECT name, count, total, self, median, p99, max, longest_slice_id AS slice_id FROM name_stat ORDER BY self DESC LIMIT 20;

-- How busy is each thread?
SELECT process_name, thread_name, tid, count(*) AS calls, sum(dur) AS busy_dur,
       round(100.0 * sum(dur) / (max(end_ts) - min(begin_ts)), 1) AS percent
FROM thread_slice JOIN trace USING (trace_id)
WHERE depth = 1 AND unfinished = 0
GROUP BY process_name, thread_name, tid, trace_id ORDER BY busy_dur DESC;

-- Which frames miss 60 Hz, and why mostly?
SELECT slice_id, ts, dur, thread_name,
       (SELECT c.name FROM slice c WHERE c.parent_slice_id = f.slice_id AND c.trace_id = f.trace_id
         ORDER BY c.dur DESC LIMIT 1) AS mostly
FROM thread_slice f WHERE name = 'ProxyMain::BeginMainFrame' AND dur > 16666667 ORDER BY dur DESC;

-- Who calls it?
SELECT p.name AS caller, count(*) AS calls, sum(s.dur) AS total_dur
FROM slice s LEFT JOIN slice p ON p.trace_id = s.trace_id AND p.slice_id = s.parent_slice_id
WHERE s.name = 'FunctionCall' GROUP BY p.name ORDER BY total_dur DESC;

-- What does it call?
SELECT c.name, count(*) AS calls, sum(c.dur) AS total_dur
FROM slice f JOIN slice c ON c.trace_id = f.trace_id AND c.parent_slice_id = f.slice_id
WHERE f.name = 'ProxyMain::BeginMainFrame' GROUP BY c.name ORDER BY total_dur DESC;

-- How much painting is in each frame, however deep?
SELECT f.slice_id, f.ts, f.dur, sum(d.dur) AS paint_dur
FROM slice f JOIN descendant(f.slice_id) d
WHERE f.name = 'ProxyMain::BeginMainFrame' AND d.name = 'Paint'
GROUP BY f.slice_id ORDER BY paint_dur DESC LIMIT 20;

-- Does it get slower over time?
SELECT ts - begin_ts - (ts - begin_ts) % 500000000 AS from_dur, count(*) AS calls,
       percentile(dur, 50) AS median_dur, percentile(dur, 99) AS p99_dur
FROM slice JOIN trace USING (trace_id) WHERE name = 'RunTask' GROUP BY from_dur ORDER BY from_dur;

-- Where does a thread wait longest, between what?
SELECT g.ts, g.dur, b.name AS name_before, a.name AS name_after, g.after_slice_id AS slice_id
FROM thread t JOIN idle(t.track_id) g
JOIN slice b ON b.slice_id = g.before_slice_id JOIN slice a ON a.slice_id = g.after_slice_id
WHERE t.thread_name = 'Compositor' ORDER BY g.dur DESC LIMIT 20;

-- Is communication hidden behind computing (GPU)?
WITH work AS (SELECT ts, dur, name LIKE '%nccl%' AS comm FROM slice WHERE category = 'kernel')
SELECT covered(ts, dur) FILTER (WHERE comm) AS comm_dur, covered(ts, dur) FILTER (WHERE NOT comm) AS compute_dur,
       covered(ts, dur) FILTER (WHERE comm) + covered(ts, dur) FILTER (WHERE NOT comm) - covered(ts, dur) AS both_dur
FROM work;

-- How many threads work at once, for how long?
WITH edge AS (SELECT ts, 1 AS step FROM slice WHERE depth = 1
              UNION ALL SELECT ts_end, -1 FROM slice WHERE depth = 1),
     level AS (SELECT ts, sum(sum(step)) OVER (ORDER BY ts) AS threads, lead(ts) OVER (ORDER BY ts) - ts AS dur
               FROM edge GROUP BY ts)
SELECT threads, sum(dur) AS total_dur FROM level GROUP BY threads ORDER BY threads;

-- Which argument makes it expensive?
SELECT a.value AS url, count(*) AS calls, sum(s.dur) AS total_dur, percentile(s.dur, 90) AS p90_dur
FROM slice s JOIN arg a ON a.trace_id = s.trace_id AND a.slice_id = s.slice_id AND a.key = 'data.url'
WHERE s.name = 'FunctionCall' GROUP BY a.value ORDER BY total_dur DESC;

-- How long do arrows take (queues, messages)?
SELECT name, count(*) AS arrows, percentile(to_ts - from_ts, 50) AS median_dur, percentile(to_ts - from_ts, 99) AS p99_dur
FROM flow WHERE to_ts >= from_ts GROUP BY name HAVING count(*) >= 10 ORDER BY p99_dur DESC;

-- Where does a beat stumble?
WITH beat AS (SELECT slice_id, ts, ts - lag(ts) OVER (ORDER BY ts) AS wait_dur FROM slice WHERE name = 'DirectRenderer::DrawFrame')
SELECT slice_id, ts, wait_dur FROM beat WHERE wait_dur > 2 * (SELECT percentile(wait_dur, 50) FROM beat) ORDER BY wait_dur DESC;

-- What is only slow the first time?
WITH nth AS (SELECT name, dur, row_number() OVER (PARTITION BY trace_id, name ORDER BY ts) AS n FROM slice)
SELECT name, count(*) AS calls, max(dur) FILTER (WHERE n = 1) AS first_dur, percentile(dur, 50) FILTER (WHERE n > 1) AS later_dur
FROM nth GROUP BY name HAVING count(*) >= 20 ORDER BY first_dur - later_dur DESC LIMIT 20;

-- What else ran during the longest Commit?
SELECT o.name, o.ts, o.dur, o.slice_id
FROM name_stat n JOIN slice s ON s.slice_id = n.longest_slice_id JOIN overlap(s.ts, s.ts_end) o
WHERE n.name = 'Commit' AND o.depth = 1 AND o.track_id <> s.track_id ORDER BY o.dur DESC LIMIT 20;
