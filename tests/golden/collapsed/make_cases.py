#!/usr/bin/env python3
"""Writes the golden inputs of collapsed stacks beside itself: CASE/input.folded. Standard library only."""
import pathlib

HERE = pathlib.Path(__file__).parent

CASES = {
    "plain": "main;draw;blit 5\nmain;draw 2\nmain;read 4\nmain;draw;blit 3\n",
    "windows_line_ends": "main;draw 5\r\nmain;read 4\r\n\r\nmain 1",
    "byte_order_mark": "\ufeffmain;draw 5\nmain;read 4\n",
    "utf16": "main;größe 5\nmain;read 4\n".encode("utf-16"),
    "two_counts": "main;draw 5 8\nmain;read 4 0\nmain 0 2\n",
    "one_count_too_few": "main;draw 5 8\nmain;worker 1 20\nmain;read 4\n",
    "fractions": "main;draw 0.5\nmain;read 4\nmain;read 1.0625\nmain;wait 6.\n",
    "fractions_of_zero": "main;draw 5.0\nmain;read 4.000\n",
    "kinds": "main;sys_read_[k] 5\nmain;jitted_[j] 4\nmain;inner_[i] 3\nswapper;woken_[w] 2\n",
    "empty_frames": ";a;;b; 3\n;; 2\nmain;a 1\n",
    "no_weight": "main;draw 0\nmain;read 4\n",
    "odd_lines": "main;a 3\nno count\nmain;b 1e3\n 7\nmain;c -2\n# main;d 9\n\t\nmain;e 1\nmain;f 2\nmain;g 3\nmain;h 4\n"
                 "main;i 5\nmain;j 6\n",
    "austin_time": "# austin: 3.3.0\n# interval: 100\n# mode: wall\n\nP1;T1;main:1 105\nP1;T1;main:1;run:7 186\n",
    "austin_memory": "# austin: 3.3.0\n# mode: memory\nP1;T1;main:1 4096\nP1;T1;main:1;run:7 512\n",
    "recursion": "main;f;f;f 4\nmain;f;f 2\nmain;f 1\n",
    "equal_weights": "main;b 2\nmain;a 2\nmain;B 2\n",
    "cut_in_a_stack": "main;draw 5\nmain;read 4\nmain;dr",
    "cut_in_a_count": "main;draw 5\nmain;read 4\nmain;draw 1",
    "deep": ";".join(f"f{i}" for i in range(2000)) + " 3\n",
    "huge_counts": "main;a 9223372036854775807\nmain;b 99999999999999999999999\nmain;c 1\n",
    "names_with_blanks": "java main;std::pair<int, int> f(char const*) 3\njava main;\"quoted\" [x] 4\nworker 1 20;a 5\n",
}

for case, content in CASES.items():
    folder = HERE / case
    folder.mkdir(exist_ok=True)
    (folder / "input.folded").write_bytes(content if isinstance(content, bytes) else content.encode())
