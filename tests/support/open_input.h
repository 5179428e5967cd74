// A file or folder as a test's input.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <utility>

#include "ingest/input/input.h"

namespace cinderscope {

// Throws where it cannot be opened.
inline Input opened(const std::filesystem::path& path) {
  Result<Input> input = Input::from_path(path);
  if (!input) throw std::runtime_error(input.error().text);
  return std::move(*input);
}

}  // namespace cinderscope
