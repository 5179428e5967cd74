-- joins, windows, groups
SELECT p.name AS caller, count(*) AS calls, sum(s.dur) AS total_dur
FROM slice s LEFT JOIN slice p ON p.trace_id = s.trace_id AND p.slice_id = s.parent_slice_id
WHERE s.name = :name GROUP BY p.name HAVING count(*) > 1 ORDER BY total_dur DESC LIMIT 10 OFFSET :a;
WITH edge AS (SELECT ts, 1 AS step FROM slice WHERE depth = 1 UNION ALL SELECT ts_end, -1 FROM slice),
     level AS (SELECT ts, sum(sum(step)) OVER (ORDER BY ts) AS threads FROM edge GROUP BY ts)
SELECT threads, count(*) FILTER (WHERE ts > 5) FROM level GROUP BY threads;
SELECT DISTINCT name FROM thread_slice WHERE name LIKE 'n%' AND ts BETWEEN 10 AND 1e2 ORDER BY ts DESC;
