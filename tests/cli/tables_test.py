#!/usr/bin/env python3
"""`cinderscope convert` to a database and to a folder of tables: what is in them, many writers at once, and other
programs that read them.

    tables_test.py BINARY

DuckDB is asked where Node finds its package (NODE_PATH), Dask where Debian's Python has it."""
import csv
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

BINARY = os.path.abspath(sys.argv.pop(1))
SYSTEM_PYTHON = "/usr/bin/python3"
MANY = int(os.environ.get("CINDERSCOPE_MANY_TRACES", "120"))
EVENTS = [
    {"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "main, \"quoted\""}},
    {"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 100, "name": "a,b", "cat": "c", "args": {"url": "x", "n": 1.5}},
    {"ph": "X", "pid": 1, "tid": 1, "ts": 10, "dur": 20, "name": 'say "hi"\nthere'},
    {"ph": "X", "pid": 1, "tid": 1, "ts": 40, "dur": 30, "name": ""},
    {"ph": "X", "pid": 1, "tid": 2, "ts": 5, "dur": 1, "name": "=1+1", "args": {"empty": ""}},
    {"ph": "i", "pid": 1, "tid": 1, "ts": 50, "name": "mark", "s": "t"},
    {"ph": "C", "pid": 1, "ts": 3, "name": "memory", "args": {"used": 7}},
    {"ph": "s", "pid": 1, "tid": 1, "ts": 11, "id": 1, "name": "f"},
    {"ph": "f", "pid": 1, "tid": 2, "ts": 5.5, "id": 1, "name": "f", "bp": "e"},
]


def run(*arguments, **options):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          stdin=subprocess.DEVNULL, **options)


def has_dask():
    try:
        return subprocess.run([SYSTEM_PYTHON, "-c", "import dask.dataframe, distributed, pandas"],
                              capture_output=True, timeout=60).returncode == 0
    except OSError:
        return False


def has_duckdb():
    return shutil.which("node") and subprocess.run(["node", "-e", "require.resolve('@duckdb/node-api')"],
                                                   capture_output=True, timeout=60).returncode == 0


class Tables(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tables_test")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name="a.json", events=None):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(EVENTS if events is None else events), encoding="utf-8")
        return path

    def convert(self, *arguments):
        done = run("convert", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def rows(self, path):
        """NULL is None, an empty text ""."""
        with (gzip.open(path, "rt", encoding="utf-8", newline="") if path.suffix == ".gz"
              else open(path, encoding="utf-8", newline="")) as file:
            text = file.read()
        # csv takes both for an empty text: what is quoted is marked before.
        marked = re.sub(r'(^|,)""(?=,|$)', r'\1"\\0"', text, flags=re.M)
        rows = list(csv.reader(io.StringIO(marked)))
        told = [[None if cell == "" else "" if cell == "\\0" else cell for cell in row] for row in rows]
        return [dict(zip(told[0], row)) for row in told[1:]]

    def asked(self, path, sql):
        done = run("query", path, sql, "--format", "csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(csv.reader(io.StringIO(done.stdout)))[1:]

    # -- a database

    def test_a_database_holds_what_queries_see(self):
        trace, out = self.write(), self.folder / "a.sqlite"
        self.convert(trace, "-o", out)
        with sqlite3.connect(out) as base:
            for sql in ("SELECT slice_id, ts, dur, ts_end, self_dur, depth, parent_slice_id, name, category, unfinished "
                        "FROM slice ORDER BY slice_id",
                        "SELECT thread_name, tid, name, dur FROM thread_slice ORDER BY slice_id",
                        "SELECT key, value, number, type FROM arg ORDER BY slice_id, key",
                        "SELECT name, ts FROM instant ORDER BY instant_id",
                        "SELECT counter_name, series, max FROM counter",
                        "SELECT name, step, from_slice_id, to_slice_id FROM flow",
                        "SELECT trace_name, format, slices FROM trace"):
                told = [["" if cell is None else str(cell) for cell in row] for row in base.execute(sql)]
                self.assertEqual(told, self.asked(trace, sql), sql)
            self.assertEqual(base.execute("SELECT count(*) FROM slice WHERE name = ''").fetchone()[0], 1)
            self.assertEqual(base.execute("SELECT count(*) FROM slice WHERE category IS NULL").fetchone()[0], 3)
            self.assertEqual(base.execute("SELECT typeof(ts), typeof(name) FROM slice").fetchone(), ("integer", "text"))
            self.assertEqual(base.execute("PRAGMA integrity_check").fetchone()[0], "ok")
            indices = {row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'index'")}
            self.assertEqual(indices, {"slice_by_name", "slice_by_track", "slice_by_parent"})
            self.assertEqual(base.execute("SELECT path FROM trace").fetchone()[0], "a.json")

    def test_a_database_of_several_traces(self):
        one, two, out = self.write("a.json"), self.write("b.json"), self.folder / "both.sqlite"
        self.convert(one, two, "-o", out)
        with sqlite3.connect(out) as base:
            self.assertEqual(base.execute("SELECT trace_id, count(*), min(slice_id) FROM slice GROUP BY trace_id ORDER BY 1")
                             .fetchall(), [(1, 4, 1), (2, 4, 5)])

    def test_a_database_is_not_overwritten_unasked(self):
        trace, out = self.write(), self.folder / "a.sqlite"
        out.write_text("mine")
        self.assertEqual(run("convert", trace, "-o", out).returncode, 1)
        self.assertEqual(out.read_text(), "mine")
        self.convert(trace, "-o", out, "--force", "--table", "trace", "--table", "slice", "--table", "track")
        with sqlite3.connect(out) as base:
            tables = {row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
        self.assertEqual(tables, {"trace", "track", "slice", "slice_row", "name", "category"})
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()), ["a.json", "a.sqlite"])

    def test_wrong_usage(self):
        trace = self.write()
        for more in (["--table", "nothing"], ["--from", "1us"], ["--compress", "gz"], ["--strict"]):
            self.assertIn(run("convert", trace, "-o", self.folder / "x.sqlite", *more).returncode, (1, 2), more)
            self.assertFalse((self.folder / "x.sqlite").exists())
        self.assertEqual(run("convert", trace, "-o", self.folder / "x.json", "--table", "slice").returncode, 2)

    # -- a folder

    def test_a_folder_has_a_partition_for_each_trace(self):
        trace, out = self.write("page before.json"), self.folder / "out"
        self.convert(trace, "-o", f"{out}/", "--format", "csv")
        schema = json.loads((out / "schema.json").read_text())
        self.assertEqual(schema["version"], 1)
        names = {table["name"] for table in schema["tables"]}
        self.assertLessEqual({"trace", "process", "thread", "track", "slice", "arg", "instant", "flow", "counter"}, names)
        slices = self.rows(out / "slice" / "trace=page_before" / "slice.csv")
        self.assertEqual([row["name"] for row in slices], ["a,b", 'say "hi"\nthere', "", "=1+1"])
        self.assertEqual([row["category"] for row in slices], ["c", None, None, None])
        columns = next(table["columns"] for table in schema["tables"] if table["name"] == "slice")
        self.assertEqual(list(slices[0]), [column["name"] for column in columns])
        content = trace.read_bytes()
        head = hashlib.sha256(content[:65536]).hexdigest()
        tail = hashlib.sha256(content[-65536:]).hexdigest()
        digest = hashlib.sha256(f"{len(content)}\n{head}\n{tail}\n".encode()).digest()
        number = int.from_bytes(digest[:8], "big") & (2 ** 63 - 1)
        self.assertEqual({row["trace_id"] for row in slices}, {str(number)})
        for table in names:
            self.assertTrue((out / table / "trace=page_before" / f"{table}.csv").exists(), table)
        self.assertEqual([each.name for each in out.iterdir() if each.name.startswith(".")], [])
        self.assertIsNone(compile((out / "with_dask.py").read_text(), "with_dask.py", "exec") and None)
        self.assertIsNone(compile((out / "with_spark.py").read_text(), "with_spark.py", "exec") and None)

    def test_the_same_trace_replaces_and_another_gets_a_number(self):
        trace, out = self.write(), self.folder / "out"
        self.convert(trace, "-o", f"{out}/", "--format", "csv")
        before = (out / "slice/trace=a/slice.csv").read_bytes()
        self.convert(trace, "-o", f"{out}/", "--format", "csv", "--compress", "gz")
        self.assertEqual([each.name for each in (out / "slice/trace=a").iterdir()], ["slice.csv.gz"])
        self.assertEqual(gzip.decompress((out / "slice/trace=a/slice.csv.gz").read_bytes()), before)
        other = self.write("else/a.json", EVENTS[:2])
        self.convert(other, "-o", f"{out}/", "--format", "csv")
        self.assertEqual(sorted(each.name for each in (out / "slice").iterdir()), ["trace=a", "trace=a-2"])
        self.convert(other, "-o", f"{out}/", "--format", "csv")
        self.assertEqual(sorted(each.name for each in (out / "slice").iterdir()), ["trace=a", "trace=a-2"])
        self.assertEqual(run("convert", trace, "-o", f"{out}/", "--format", "jsonl").returncode, 1)

    def test_json_lines_and_a_choice_of_tables(self):
        trace, out = self.write(), self.folder / "out"
        self.convert(trace, "-o", f"{out}/", "--format", "jsonl", "--table", "slice")
        self.assertEqual(sorted(each.name for each in out.iterdir() if each.is_dir()), ["slice", "trace"])
        lines = [json.loads(line) for line in (out / "slice/trace=a/slice.jsonl").read_text().splitlines()]
        self.assertEqual([line["name"] for line in lines], ["a,b", 'say "hi"\nthere', "", "=1+1"])
        self.assertIsNone(lines[1]["category"])
        self.convert(trace, "-o", f"{out}/", "--format", "jsonl", "--table", "arg")
        tables = [each["name"] for each in json.loads((out / "schema.json").read_text())["tables"]]
        self.assertEqual(tables, ["arg", "slice", "trace"])

    def many(self, count, processes=8):
        traces = [self.write(f"in/t{i}.json", [{"ph": "X", "pid": 1, "tid": 1, "ts": k, "dur": 1 + i % 7, "name": f"n{k % 5}"}
                                               for k in range(20)] + [{"ph": "i", "pid": 1, "tid": 1, "ts": i, "name": "m"}])
                  for i in range(count)]
        out = self.folder / "out"
        running = [subprocess.Popen([BINARY, "convert", *map(str, traces[i::processes]), "-o", f"{out}/", "--format", "csv",
                                     "--compress", "gz", "--jobs", "1"], stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for i in range(processes)]
        for each in running:
            _, said = each.communicate(timeout=900)
            self.assertEqual(each.returncode, 0, said)
        return out

    def test_many_processes_write_into_one_folder(self):
        out = self.many(MANY)
        partitions = sorted((out / "slice").iterdir())
        self.assertEqual(len(partitions), MANY)
        total, ids = 0, set()
        for each in partitions:
            rows = self.rows(each / "slice.csv.gz")
            total += sum(int(row["dur"]) for row in rows)
            ids |= {row["trace_id"] for row in rows}
        self.assertEqual(total, sum(20 * (1 + i % 7) * 1000 for i in range(MANY)))
        self.assertEqual(len(ids), MANY)
        self.assertEqual([each.name for each in out.iterdir() if each.name.startswith(".")], [])
        self.assertTrue(json.loads((out / "schema.json").read_text())["tables"])

    def test_a_kill_leaves_nothing_that_readers_take(self):
        trace = self.write("big.json", [{"ph": "X", "pid": 1, "tid": 1, "ts": i, "dur": 1, "name": f"n{i}"}
                                        for i in range(60_000)])
        out = self.folder / "out"
        self.convert(self.write(), "-o", f"{out}/", "--format", "csv")
        for wait in (0.05, 0.2, 0.5, 0.9):
            running = subprocess.Popen([BINARY, "convert", str(trace), "-o", f"{out}/", "--format", "csv"],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                running.wait(timeout=wait)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()
            for table in out.iterdir():
                if not table.is_dir() or table.name.startswith("."):
                    continue
                for partition in table.iterdir():
                    self.assertLessEqual({each.name for each in partition.iterdir()}, {f"{table.name}.csv"})
            big = out / "slice/trace=big/slice.csv"
            if big.exists():
                self.assertEqual(len(self.rows(big)), 60_000)

    # -- others who read it

    @unittest.skipUnless(has_duckdb(), "not there for Node: @duckdb/node-api")
    def test_duckdb_reads_the_folder(self):
        one, two = self.write("a.json"), self.write("b.json", EVENTS[:4])
        for form, packing in (("csv", []), ("csv", ["--compress", "gz"]), ("csv", ["--compress", "zst"]),
                              ("jsonl", []), ("jsonl", ["--compress", "gz"])):
            out = self.folder / f"out-{form}{''.join(packing)}"
            self.convert(one, two, "-o", f"{out}/", "--format", form, *packing)
            script = """
                const { DuckDBInstance } = require('@duckdb/node-api');
                const fs = require('fs');
                process.chdir(process.argv[1]);
                (async () => {
                  const c = await (await DuckDBInstance.create()).connect();
                  await c.run(fs.readFileSync('duckdb.sql', 'utf8'));
                  const ask = async (sql) => (await c.runAndReadAll(sql)).getRowObjectsJson();
                  console.log(JSON.stringify({
                    sums: await ask(`SELECT trace, name, count(*) AS n, sum(dur) AS dur, sum(self_dur) AS self
                                     FROM slice GROUP BY ALL ORDER BY trace, name`),
                    nulls: await ask(`SELECT count(*) FILTER (category IS NULL) AS no, count(*) FILTER (name = '') AS empty
                                      FROM slice`),
                    threads: await ask(`SELECT DISTINCT thread_name FROM thread_slice WHERE trace = 'a' ORDER BY 1`),
                    args: await ask(`SELECT a.value, s.name FROM arg a JOIN slice s USING (trace_id, slice_id)
                                     ORDER BY s.trace, s.slice_id, a.key`),
                    median: await ask(`SELECT percentile(dur, 50) AS p FROM slice`),
                    stats: await ask(`SELECT name, count, total FROM name_stat WHERE trace = 'a' ORDER BY name`)}));
                })();"""
            done = subprocess.run(["node", "-e", script, str(out)], capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            told = json.loads(done.stdout)
            expected = []
            for name, trace in (("a", one), ("b", two)):
                expected += [[name, *row] for row in self.asked(
                    trace, "SELECT name, count(*), sum(dur), sum(self_dur) FROM slice GROUP BY name ORDER BY name")]
            self.assertEqual([[row["trace"], row["name"], str(row["n"]), str(row["dur"]), str(row["self"])]
                              for row in told["sums"]], expected)
            self.assertEqual([str(each) for each in told["nulls"][0].values()], ["5", "2"])
            self.assertEqual([row["thread_name"] for row in told["threads"] if row["thread_name"]], ['main, "quoted"'])
            self.assertEqual([row["value"] for row in told["args"]], ["1.5", "x", "", "1.5", "x"])
            self.assertEqual(str(told["median"][0]["p"]), "30000")
            self.assertEqual(len(told["stats"]), 4)

    def fifty(self):
        """A folder of fifty traces, and what `query` says of all of them in one statement."""
        out = self.many(50)
        traces = sorted((self.folder / "in").iterdir())
        asked = run("query", *traces, "SELECT replace(trace_name, '.json', '') AS trace, name, count(*) AS n, sum(dur) AS dur, "
                    "max(self_dur) AS self FROM thread_slice GROUP BY trace_name, name ORDER BY trace, name", "--format", "json")
        self.assertEqual(asked.returncode, 0, asked.stderr)
        rows = [[str(value) for value in row.values()] for row in json.loads(asked.stdout)]
        self.assertEqual(len(rows), 50 * 5)
        return out, rows

    @unittest.skipUnless(has_duckdb(), "not there for Node: @duckdb/node-api")
    def test_duckdb_asks_fifty_traces_at_once(self):
        out, expected = self.fifty()
        script = """
            const { DuckDBInstance } = require('@duckdb/node-api');
            process.chdir(process.argv[1]);
            (async () => {
              const c = await (await DuckDBInstance.create()).connect();
              await c.run(require('fs').readFileSync('duckdb.sql', 'utf8'));
              const r = await c.runAndReadAll(`SELECT trace, name, count(*) AS n, sum(dur) AS dur, max(self_dur) AS self
                                               FROM slice GROUP BY trace, name ORDER BY trace, name`);
              console.log(JSON.stringify(r.getRowObjectsJson()));
            })();"""
        done = subprocess.run(["node", "-e", script, str(out)], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([[str(value) for value in row.values()] for row in json.loads(done.stdout)], expected)

    @unittest.skipUnless(has_dask(), "not there: python3-distributed, python3-pandas")
    def test_dask_asks_fifty_traces_at_once(self):
        out, expected = self.fifty()
        script = """
import sys
sys.path.insert(0, sys.argv[1])
import os
os.chdir(sys.argv[1])
import with_dask

if __name__ == '__main__':
    from distributed import Client, LocalCluster
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, host='127.0.0.1', dashboard_address=None) as cluster:
        with Client(cluster) as client:
            groups = with_dask.slice().groupby(['trace', 'name'])
            told = groups.agg({'slice_id': 'count', 'dur': 'sum', 'self_dur': 'max'}).compute().sort_index()
            for (trace, name), row in told.iterrows():
                print(trace, name, *[int(value) for value in row], sep='\\t')
"""
        path = self.folder / "fifty.py"
        path.write_text(script)
        done = subprocess.run([SYSTEM_PYTHON, str(path), str(out)], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split("\t") for line in done.stdout.splitlines()], expected)

    @unittest.skipUnless(has_dask(), "not there: python3-distributed, python3-pandas")
    def test_dask_reads_the_folder_though_a_worker_is_killed(self):
        for i in range(6):
            self.write(f"in/t{i}.json", [{"ph": "X", "pid": 1, "tid": 1, "ts": 10 * k, "dur": 1 + (k * 7 + i) % 9,
                                          "name": ["a,b", 'say "hi"', "", "NA"][k % 4]} for k in range(3000)])
        out = self.folder / "out"
        traces = sorted((self.folder / "in").iterdir())
        self.convert(*traces, "-o", f"{out}/", "--format", "csv", "--compress", "gz")
        script = """
import os, signal, sys, time
sys.path.insert(0, sys.argv[1])
import with_dask

def slowly(frame):
    time.sleep(0.7)
    return frame

def main():
    from distributed import Client, LocalCluster
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, host='127.0.0.1', dashboard_address=None) as cluster:
        with Client(cluster) as client:
            slices = with_dask.slice().map_partitions(slowly)
            sums = slices.groupby(['trace', 'name'])['dur'].agg(['count', 'sum', 'max'])
            future = client.compute(sums)
            time.sleep(1.0)
            victim = next(iter(client.run(os.getpid).values()))
            os.kill(victim, signal.SIGKILL)
            told = future.result(timeout=200).sort_index()
            for (trace, name), row in told.iterrows():
                print(trace, repr(name), *[int(value) for value in row], sep='\\t')
            parents = with_dask.slice()['parent_slice_id'].isna().sum().compute()
            print('no parent', int(parents), sep='\\t')

if __name__ == '__main__':
    main()
"""
        path = self.folder / "ask.py"
        path.write_text(script)
        done = subprocess.run([SYSTEM_PYTHON, path, out], capture_output=True, text=True, timeout=280,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        told = [line.split("\t") for line in done.stdout.splitlines()]
        expected = []
        for trace in traces:
            expected += [[trace.stem, repr(name), *rest] for name, *rest in self.asked(
                trace, "SELECT name, count(*), sum(dur), max(dur) FROM slice GROUP BY name ORDER BY name")]
        self.assertEqual(told[:-1], expected)
        self.assertEqual(told[-1], ["no parent", str(6 * 3000)])


if __name__ == "__main__":
    unittest.main()
