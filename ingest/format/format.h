// Format: recognises one kind of trace by its content and opens it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/format/trace_source.h"

namespace cinderscope {

enum class Match : std::uint8_t { no, maybe, certain };

// Stateless; one instance for the life of the program.
class Format {
 public:
  virtual ~Format() = default;
  virtual std::string_view name() const = 0;  // the folder's name, e.g. "google_json"
  // For people, to go before "trace": "Chrome/Google JSON".
  virtual std::string_view description() const = 0;
  // How the names of its files end, in lower case and unpacked (".spall"): a guess for lists of
  // files that nobody has looked into. None: names tell nothing.
  virtual std::vector<std::string_view> name_endings() const { return {}; }
  virtual Match probe(const Input& input) const = 0;
  // The first bytes of an input, or of each file of a folder, are a trace as well, and tell what
  // the whole of it is like.
  virtual bool can_load_prefix() const { return false; }
  virtual Result<std::unique_ptr<TraceSource>> open(Input input) const = 0;
};

// "has 12 files, and none of them is a trace", of a folder.
std::string no_trace_among(std::size_t files);

// The surest of `formats` for `input`, or an Error that says what was found instead.
Result<const Format*> detect(const std::vector<const Format*>& formats, const Input& input);

}  // namespace cinderscope
