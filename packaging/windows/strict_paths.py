#!/usr/bin/env python3
"""Has the compiler tell where text becomes a path without path_of(): strict_paths.py COMPILER FOLDER.

On Windows the standard library widens each byte of such a text, so that only ASCII survives; tests/layers sees what is
written out, but not what a call converts by itself. Writes FOLDER/bits/fs_path.h, the compiler's own header with a
deprecation at what takes narrow text that is no literal: for -isystem FOLDER -Werror=deprecated-declarations."""
import pathlib
import subprocess
import sys

NARROW = "requires (!std::is_array_v<_Source> && requires(const _Source& __s) { requires sizeof(__s[0]) == 1; })"
WARNING = '[[deprecated("use path_of()")]]'
MAKES = """    template<typename _Source,
	     typename _Require = __detail::_Path<_Source>>
      path(_Source const& __source, format = auto_format)
      : _M_pathname(_S_convert(__detail::__effective_range(__source)))
      { _M_split_cmpts(); }
"""
APPENDS = """    template<typename _Source>
      __detail::_Path<_Source>&
      operator/=(_Source const& __source)
      {
	_M_append(_S_convert(__detail::__effective_range(__source)));
	return *this;
      }
"""


def main():
    compiler, folder = sys.argv[1:]
    listed = subprocess.run([compiler, "-std=c++20", "-x", "c++", "-M", "-"], input="#include <filesystem>\n", text=True,
                            capture_output=True, check=True).stdout
    header = next(word for word in listed.split() if word.endswith("bits/fs_path.h"))
    text = pathlib.Path(header).read_text()
    for plain, marked in ((MAKES, MAKES.replace("      path(", f"      {NARROW}\n      {WARNING} path(")),
                          (APPENDS, APPENDS.replace("<typename _Source>\n", f"<typename _Source> {NARROW} {WARNING}\n"))):
        if text.count(plain) != 1:
            sys.exit(f"{header} is not as expected")
        text = text.replace(plain, marked + plain)
    out = pathlib.Path(folder) / "bits" / "fs_path.h"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text)


if __name__ == "__main__":
    main()
