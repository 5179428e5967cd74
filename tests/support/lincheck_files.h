// The Lincheck samples among the goldens, and copies of them in a folder of the test's own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "ingest/format/capabilities.h"
#include "ingest/format/format.h"
#include "ingest/format/name_index.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"

namespace cinderscope {

const Format& lincheck_format();

inline std::string lincheck_case(const std::string& name, const std::string& file) {
  return test::source_dir() + "/tests/golden/lincheck/" + name + "/" + file;
}

inline std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

inline std::string tree_of(Input input, const TreeRequest& request) {
  auto source = lincheck_format().open(std::move(input));
  if (!source) return source.error().text;
  LoadContext context({.jobs = 1});
  std::string text;
  const Status printed = (*source)->tree_text()->print(
      request,
      [&](std::string_view lines) {
        text += lines;
        return true;
      },
      context);
  return printed ? text : printed.error().text;
}

}  // namespace cinderscope
