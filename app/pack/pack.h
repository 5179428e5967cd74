// A session and its traces in one file, for a colleague: `cinderscope pack` and "Pack for a
// colleague…".
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session_file/session_file.h"
#include "ingest/base/result.h"
#include "ingest/format/load_options.h"
#include "ingest/model/typed_time.h"
#include "ingest/search/typed_thread.h"

namespace cinderscope {

inline constexpr std::string_view kPackEnding = ".cinderpack";

// What is packed: a session, and where its traces lie.
struct PackInput {
  SessionFile session;
  std::string text_path;           // of the session, absolute; empty: it was not saved
  std::vector<std::string> paths;  // of its traces, absolute; empty: not found
};

enum class PackPart : std::uint8_t {
  whole,
  range,     // from..to, and the threads
  view,      // of each tab
  selected,  // the range that is selected in it
};

struct PackRequest {
  PackInput input;
  std::string out;
  PackPart part = PackPart::whole;
  std::optional<TypedTime> from, to;
  std::vector<TypedThread> threads;
  bool anonymous = false, compress = true;
  bool strict = false;  // nothing is written if anything would be left out
  bool force = false;   // replaces a file that exists
  LoadOptions load;     // of traces that are cut

  // Traces are written anew, not copied.
  bool cuts() const { return part != PackPart::whole || !threads.empty() || anonymous; }
};

// Shared with who waits for it. Any thread.
struct PackControl {
  std::atomic<bool> cancelled{false};
  std::atomic<std::uint64_t> done_bytes{0}, total_bytes{0};  // of what is written
};

struct Packed {
  std::string path;
  std::size_t traces = 0;
  std::uint64_t bytes = 0;         // of the pack
  std::uint64_t plain_bytes = 0;   // of what is in it, before packing
  std::vector<std::string> notes;  // a sentence for each thing that was left out
  bool refused = false;            // by `strict`: nothing was written
};
// "Packed 2 traces in night.cinderpack, 3.1 MB."
std::string packed_text(const Packed& packed);

// Blocks; ends soon after it was cancelled, and leaves nothing then.
Result<Packed> pack(const PackRequest& request, PackControl& control);

// A session with a tab for each trace, or the session that the first one is; `notes` says which of
// its traces are missing.
Result<PackInput> pack_input(const std::vector<std::string>& files,
                             const std::vector<std::string>& look_in,
                             std::vector<std::string>& notes);

// About how large a pack of whole traces becomes. Reads samples of them.
std::uint64_t estimated_pack_bytes(const PackInput& input, bool compress);

}  // namespace cinderscope
