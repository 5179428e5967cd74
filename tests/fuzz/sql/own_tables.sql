CREATE TEMP TABLE t AS SELECT name, dur FROM slice WHERE depth IN (1, 2, '3', NULL, 2.5);
INSERT INTO t VALUES ('it''s; "x"', x'00ff'); CREATE TEMP VIEW v AS SELECT * FROM t, json_each('[1,{"a":2}]');
SELECT * FROM v WHERE name GLOB 'n[1-3]*' OR name REGEXP '^n'; EXPLAIN QUERY PLAN SELECT * FROM v;
DROP VIEW v; DROP TABLE t; ATTACH 'x' AS y;
