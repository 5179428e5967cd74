// Any bytes as a session, as a layout and as a place: what is read is written again, and what was
// written is read as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "app/places/place.h"
#include "app/places/place_links.h"
#include "app/session_file/session_file.h"

namespace {

using namespace cinderscope;

// Twice written has the same bytes.
void look_at_session(std::string_view text) {
  const Result<SessionFile> session = session_from(text);
  if (!session) {
    if (session.error().text.empty()) std::abort();
    return;
  }
  const std::string written = session_text(*session);
  const Result<SessionFile> again = session_from(written);
  if (!again || session_text(*again) != written) std::abort();
  if (again->tabs.size() != session->tabs.size()) std::abort();
}

void look_at_place(std::string_view text) {
  static_cast<void>(with_labels(text));
  const Result<Place> place = place_from(text);
  if (!place) return;
  if (place->trace.name.empty() || place->trace.name.find('/') != std::string::npos) std::abort();
  const std::string written = place_text(*place);
  if (written.size() > kLongestPlace) std::abort();
  const Result<Place> again = place_from(written);
  if (!again || place_text(*again) != written) std::abort();
}

}  // namespace

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  look_at_session(text);
  look_at_place(text);
  return 0;
}
