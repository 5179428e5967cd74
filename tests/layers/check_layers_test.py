"""The check of the layers finds what is planted, and nothing else."""
import pathlib
import tempfile
import unittest

import check_layers


class LayersTest(unittest.TestCase):
    def found(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                file = pathlib.Path(folder) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            return check_layers.violations(folder)[0]

    def assert_wrong(self, path, include, why):
        found = self.found({path: f"// x\n#include {include}\n"})
        self.assertEqual(len(found), 1, found)
        self.assertIn(f"{path}:2: #include {include}: ", found[0])
        self.assertIn(why, found[0])

    def assert_right(self, path, include):
        self.assertEqual(self.found({path: f"#include {include}\n"}), [])

    def test_arrows_between_folders(self):
        self.assert_wrong("ingest/model/a.h", '"render/base/rect.h"', "may not use render/base")
        self.assert_wrong("render/text/a.h", '"app/store/a.h"', "may not use app/store")
        self.assert_wrong("formats/spall/a.h", '"render/base/rect.h"', "may not use render/base")
        self.assert_right("app/session/a.cc", '"formats/all_formats.h"')
        self.assert_wrong("app/cli/a.cc", '"formats/flow/a.h"', "may not use formats/flow")
        self.assert_right("app/recording/a.cc", '"formats/thread_stream/wire.h"')
        self.assert_right("render/views/timeline/a.cc", '"ingest/model/timeline.h"')

    def test_arrows_between_rooms(self):
        self.assert_wrong("ingest/base/a.h", '"ingest/os/file.h"', "may not use ingest/os")
        self.assert_wrong("ingest/search/a.h", '"ingest/format/format.h"', "may not use")
        self.assert_wrong("render/text/a.h", '"render/views/panels/a.h"', "may not use")
        self.assert_wrong("app/session/a.cc", '"app/window/app.h"', "may not use app/window")
        self.assert_right("ingest/os/a.cc", '"ingest/base/result.h"')
        self.assert_right("app/main.cc", '"app/window/run_window.h"')
        self.assert_wrong("app/script/a.h", '"app/cli/a.h"', "may not use app/cli")
        self.assert_wrong("app/window/panels/a.h", '"app/cli/a.h"', "may not use app/cli")
        self.assert_right("app/main.cc", '"app/cli/cli.h"')

    def test_a_format_uses_no_other(self):
        self.assert_wrong("formats/flow/a.cc", '"formats/spall/spall_wire.h"', "may not use")
        self.assert_right("formats/qubership/collector/a.cc", '"formats/qubership/wire_cursor.h"')
        self.assert_right("formats/all_formats.cc", '"formats/all_formats.h"')

    def test_the_system_is_asked_in_two_rooms(self):
        self.assert_wrong("app/store/a.cc", "<unistd.h>", "operating system")
        self.assert_wrong("formats/flow/a.cc", "<sys/stat.h>", "operating system")
        self.assert_wrong("app/window/a.cc", "<fontconfig/fontconfig.h>", "operating system")
        self.assert_wrong("app/cli/a.cc", "<asio.hpp>", "operating system")
        self.assert_wrong("ingest/os/a.cc", "<sys/mman.h>", "operating system")
        self.assert_wrong("app/window/a.cc", "<windows.h>", "operating system")
        self.assert_wrong("ingest/os/posix/a.h", "<sys/types.h>", "headers do not show")
        self.assert_right("ingest/os/posix/a.cc", "<sys/mman.h>")
        self.assert_right("ingest/os/windows/a.cc", "<windows.h>")
        self.assert_right("app/desktop/posix/a.cc", "<X11/Xlib.h>")
        self.assert_right("app/collector/collect_server.cc", "<asio.hpp>")
        self.assert_right("app/store/a.cc", "<system_error>")

    def test_nobody_knows_which_system_was_chosen(self):
        self.assert_wrong("app/window/a.cc", '"app/desktop/posix/bus.h"', "may not use app/desktop/posix")
        self.assert_wrong("app/desktop/a.cc", '"app/desktop/windows/a.h"', "may not use")
        self.assert_wrong("ingest/os/windows/a.cc", '"ingest/os/posix/a.h"', "may not use")
        self.assert_right("app/desktop/posix/a.cc", '"app/desktop/posix/bus.h"')
        self.assert_right("app/desktop/posix/a.cc", '"ingest/os/file.h"')

    def assert_line(self, path, line, why):
        found = self.found({path: line + "\n"})
        self.assertEqual([why in each for each in found], [True] if why else [], f"{line}: {found}")

    def test_macros_of_a_system_stay_in_its_rooms(self):
        for line in ("#ifdef _WIN32", "#if defined(__linux__) && X", "  # elif !defined(__EMSCRIPTEN__)",
                     "#ifndef __GLIBC__"):
            self.assert_line("ingest/model/a.cc", line, "belongs to a folder of that system")
            self.assert_line("ingest/os/windows/a.cc", line, "")
            self.assert_line("app/window/display/a.cc", line, "")
        self.assert_line("ingest/model/a.cc", "#ifdef __SSE2__", "")
        self.assert_line("app/a.cc", "#ifdef CINDERSCOPE_WINDOW", "")

    def test_paths_are_made_of_utf8(self):
        for line in ("say(path.filename().string());", "fs::path name(text);", "take(std::filesystem::path(text));",
                     "return std::filesystem::path{text};", "x = path.generic_string();"):
            self.assert_line("app/a.cc", line, "path_of()")
        for line in ("fs::path path_of(std::string_view utf8);", "const fs::path& path() const;", "std::vector<fs::path> all;",
                     "return fs::path();", "// not path.string()", "fs::path own_program_path();", "utf8_of(path);"):
            self.assert_line("app/a.cc", line, "")

    def test_thread_local_objects_need_no_destructor(self):
        for line in ("thread_local std::vector<int> x;", "static thread_local Columns columns;", "thread_local std::string a(3, ' ');"):
            self.assert_line("app/a.cc", line, "thread_local")
        for line in ("thread_local bool lowered = false;", "thread_local const char* name = 0;", "thread_local Lane* lane;",
                     "thread_local std::uint32_t n = 0;",
                     "thread_local Times t; static_assert(std::is_trivially_destructible_v<decltype(t)>);"):
            self.assert_line("app/a.cc", line, "")

    def test_libraries_have_their_rooms(self):
        self.assert_wrong("render/layout/a.h", "<imgui.h>", "Dear ImGui belongs to")
        self.assert_wrong("app/session/a.cc", "<simdjson.h>", "simdjson belongs to")
        self.assert_right("render/views/panels/a.h", "<imgui.h>")
        self.assert_right("ingest/base/json/json.cc", "<simdjson.h>")

    def test_every_violation_is_listed(self):
        text = '#include <poll.h>\n#include "app/a/b.h"\n#include <imgui_internal.h>\n'
        self.assertEqual(len(self.found({"ingest/base/a.cc": text, "ingest/base/b.cc": text})), 6)

    def test_no_folder_is_crowded_and_no_room_unknown(self):
        full = {f"ingest/model/f{i}.h": "" for i in range(check_layers.MOST_FILES)}
        self.assertEqual(self.found(full), [])
        crowded = self.found(full | {"ingest/model/one_more.cc": ""})
        self.assertEqual(crowded, ["ingest/model: 36 files, more than 35"])
        self.assertIn("no room", self.found({"ingest/attic/a.h": ""})[0])


if __name__ == "__main__":
    unittest.main()
