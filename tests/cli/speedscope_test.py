#!/usr/bin/env python3
"""A part that `cinderscope convert` cut out of a trace, opened by speedscope: the calls and times of each name.

    speedscope_test.py BINARY SAMPLES     SAMPLES: a folder with traces/, else the test skips itself

Speedscope is asked where NODE_PATH has its package and chromium is installed."""
import base64
import collections
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BINARY, SAMPLES = os.path.abspath(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1)) / "traces"
PAGES = [pathlib.Path(folder) / "speedscope/dist/release/index.html"
         for folder in os.environ.get("NODE_PATH", "").split(":") if folder]
PAGE = next((page for page in PAGES if page.exists()), None)
BROWSER = shutil.which("chromium-headless-shell") or shutil.which("chromium")

# Has speedscope load the file, presses Export, and leaves what that gives in the page.
SCRIPT = """
const original = URL.createObjectURL.bind(URL);
URL.createObjectURL = (blob) => {
  blob.text().then((text) => {
    const exported = document.createElement('pre');
    exported.id = 'exported';
    exported.textContent = text;
    document.body.append(exported);
  });
  return original(blob);
};
speedscope.loadFileFromBase64(NAME, CONTENT);
const press = setInterval(() => {
  if (document.getElementById('exported')) return clearInterval(press);
  const button = [...document.querySelectorAll('div')].filter((each) => each.textContent.endsWith('Export')).pop();
  if (button) button.click();
}, 500);
"""


@unittest.skipUnless(SAMPLES.is_dir(), f"not there: {SAMPLES}")
@unittest.skipUnless(PAGE and BROWSER, "not there: speedscope in NODE_PATH, chromium")
class Speedscope(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="speedscope_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def opened(self, path):
        """What speedscope exports of a file: frames and profiles."""
        script = self.folder / "load.js"
        script.write_text(SCRIPT.replace("NAME", json.dumps(path.name)).replace(
            "CONTENT", json.dumps(base64.b64encode(path.read_bytes()).decode())))
        done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                               f"--user-data-dir={self.folder}/profile", "--virtual-time-budget=20000", "--dump-dom",
                               f"file://{PAGE}#localProfilePath={script}"], capture_output=True, text=True, timeout=200,
                              stdin=subprocess.DEVNULL)
        found = re.search(r'<pre id="exported">(.*?)</pre>', done.stdout, re.S)
        self.assertTrue(found, done.stderr[-2000:])
        return json.loads(html.unescape(found.group(1)))

    def test_a_part_has_the_calls_and_times_of_each_name(self):
        for sample in ("json/chromium_startup_default.json.gz", "json/catapult_big_trace.json"):
            out = self.folder / "part.json"
            about = json.loads(subprocess.run([BINARY, "info", SAMPLES / sample, "--json"], capture_output=True,
                                              check=True).stdout)
            third = (about["end"] - about["begin"]) // 3
            subprocess.run([BINARY, "convert", SAMPLES / sample, "-o", out, "--force", "--no-args", "--from",
                            str(about["begin"] + third), "--to", str(about["begin"] + 2 * third)], capture_output=True,
                           check=True, timeout=100)
            written = [event for event in json.loads(out.read_text())["traceEvents"] if event["ph"] in ("B", "X")]
            open_ones = {event["name"] for event in written if event["ph"] == "B"}
            calls, times = collections.Counter(), collections.Counter()
            for event in written:
                if event["name"] not in open_ones:
                    calls[event["name"]] += 1
                    times[event["name"]] += round(event["dur"] * 1000)
            told = self.opened(out)
            count, total = collections.Counter(), collections.Counter()
            for profile in told["profiles"]:
                for event in profile["events"]:
                    name = told["shared"]["frames"][event["frame"]]["name"]
                    count[name] += event["type"] == "O"
                    total[name] += round(event["at"] * 1000) * (1 if event["type"] == "C" else -1)
            self.assertGreater(len(calls), 10)
            # Of two calls of one name it makes one where the second begins as the first ends.
            for name in calls:
                self.assertLessEqual(count[name], calls[name], name)
                self.assertLessEqual(calls[name], count[name] * 2, name)
                self.assertEqual(total[name], times[name], name)


if __name__ == "__main__":
    unittest.main()
