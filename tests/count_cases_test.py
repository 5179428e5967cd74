#!/usr/bin/env python3
"""What count_cases makes of the output of test programs."""
import unittest

from count_cases import cases_of

GOOGLE = """[ RUN      ] A.Works
[       OK ] A.Works (0 ms)
[ RUN      ] A.Breaks
wrong
[  FAILED  ] A.Breaks (0 ms)
[ RUN      ] A.Waits
[  SKIPPED ] A.Waits (0 ms)
"""
ENDED = """[==========] 3 tests from 1 test suite ran. (1 ms total)
[  PASSED  ] 1 test.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] A.Waits
[  FAILED  ] 1 test, listed below:
[  FAILED  ] A.Breaks

 1 FAILED TEST
"""


class CasesOf(unittest.TestCase):
    def test_a_google_program_names_what_failed(self):
        self.assertEqual(cases_of("units.1", False, GOOGLE + ENDED), (1, ["units.1: A.Breaks"]))

    def test_with_a_value_the_name_ends_at_the_comma(self):
        said = ENDED.replace("A.Breaks", "All/A.Breaks/0, where GetParam() = spall")
        self.assertEqual(cases_of("units.1", False, said), (1, ["units.1: All/A.Breaks/0"]))

    def test_a_program_that_ends_early_failed_in_what_it_had_begun(self):
        self.assertEqual(cases_of("units.1", False, GOOGLE + "[ RUN      ] A.Crashes\n"),
                         (1, ["units.1: A.Crashes"]))

    def test_unittest_counts_what_ran_and_was_not_skipped(self):
        said = "FAIL: test_x (__main__.Y.test_x)\n...\nRan 5 tests in 0.1s\n\nFAILED (failures=1, skipped=2)\n"
        self.assertEqual(cases_of("gui.play", False, said), (2, ["gui.play: test_x"]))

    def test_anything_else_is_one_case(self):
        self.assertEqual(cases_of("layers", True, "fine"), (1, []))
        self.assertEqual(cases_of("layers", False, "an arrow goes back"), (0, ["layers"]))

    def test_a_program_that_says_all_is_well_and_fails_has_failed(self):
        self.assertEqual(cases_of("gui.play", False, "Ran 5 tests in 0.1s\n\nOK\n"), (5, ["gui.play"]))


if __name__ == "__main__":
    unittest.main()
