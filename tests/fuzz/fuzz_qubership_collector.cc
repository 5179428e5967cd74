// Any bytes as what an agent says to the live collector, in pieces that the last byte chooses.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "formats/qubership/collector/collector_session.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace cinderscope;
using namespace cinderscope::qubership;

struct Outcome {
  std::vector<std::byte> answers;
  CollectorSession::State state{};
  std::uint64_t received_bytes = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome serve(std::span<const std::byte> bytes, std::size_t piece_bytes, bool write,
              const std::filesystem::path& folder) {
  CollectorRules rules{.folder = folder, .most_session_bytes = 1 << 20};
  CollectorTotals totals;
  CollectorSession session(rules, totals, kEarliestMs);
  Outcome outcome;
  while (!bytes.empty() && session.state() == CollectorSession::State::open) {
    const auto piece = bytes.first(std::min(piece_bytes, bytes.size()));
    bytes = bytes.subspan(piece.size());
    session.receive(piece, outcome.answers);
  }
  outcome.state = session.state();
  outcome.received_bytes = session.received_bytes();
  if (write) session.write_out();
  const bool refused = session.state() == CollectorSession::State::refused;
  if (refused == session.reason().empty()) std::abort();
  return outcome;
}

}  // namespace

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const TempDir folder;
  const auto bytes = std::as_bytes(std::span(data, size));
  const unsigned choice = data[size - 1];
  const Outcome whole = serve(bytes, size, choice % 16 == 0, folder.path());
  const Outcome pieces = serve(bytes, 1 + choice % 64, false, folder.path());
  // How TCP cuts it must not matter; only how much a decoder gives before damage may depend on it.
  const bool packed = data[0] == 0x1f;
  if (!packed && !(whole == pieces)) std::abort();
  return 0;
}
