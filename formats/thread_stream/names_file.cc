#include "formats/thread_stream/names_file.h"

#include <array>
#include <utility>

#include "ingest/base/ascii.h"
#include "ingest/base/path_text.h"

namespace cinderscope::thread_stream {
namespace {

// Whether the facts speak against both being of one recording or build.
void compare(const Tables& trace, NamesFile& file) {
  const Tables& names = file.tables;
  const auto both_differ = [&](std::string_view key) {
    return trace.has_fact(key) && names.has_fact(key) && trace.fact(key) != names.fact(key);
  };
  if (both_differ("build")) file.odd.count(Oddity::names_mismatch);
  file.symbols_fit = trace.has_fact("recording") == names.has_fact("recording") &&
                     trace.fact("recording") == names.fact("recording");
  const bool has_symbols = !names.symbols.empty();
  if (both_differ("recording") || (has_symbols && !file.symbols_fit)) {
    file.odd.count(Oddity::names_mismatch);
  }
}

NamesFile read(const Input& input, const Tables& of_trace) {
  NamesFile file;
  file.path = utf8_of(input.path());
  const auto header = input.is_folder() || !has_magic(input.head())
                          ? Result<FileHeader>(Error{})
                          : read_file_header(input.head());
  if (!header) {
    file.odd.count(Oddity::names_mismatch);
    return file;
  }
  if (header->damaged) file.odd.count(Oddity::header_damaged, std::uint64_t{0});
  const std::function<bool(std::uint64_t)> go_on = [](std::uint64_t) { return true; };
  const auto walked = walk_chunks(input, *header, file.odd, go_on);
  file.readable = walked && read_tables(input, *walked, file.tables, file.odd, go_on);
  compare(of_trace, file);
  return file;
}

}  // namespace

std::vector<std::string> names_beside(const Input& trace) {
  if (trace.path().empty()) return {};
  std::string name = utf8_of(trace.path().filename());
  for (const std::string_view packed : {".gz", ".zst", ".lz4"}) {
    if (ascii_lower(name).ends_with(packed)) name.resize(name.size() - packed.size());
  }
  constexpr std::string_view kEnding = ".tsd";
  if (ascii_lower(name).ends_with(kEnding)) name.resize(name.size() - kEnding.size());
  return {name + std::string(kNamesEnding), "names" + std::string(kNamesEnding)};
}

bool has_names_beside(const Input& trace) {
  for (const std::string& name : names_beside(trace)) {
    const Result<Input> input = trace.companion(name);
    if (input && !input->is_folder()) return true;
  }
  return false;
}

Result<std::optional<NamesFile>> read_names_file(const Input& trace, const Tables& of_trace,
                                                 const SymbolOptions& wanted) {
  if (!wanted.mapping_path.empty()) {
    const Result<Input> given = Input::from_path(path_of(wanted.mapping_path));
    if (!given) return given.error();
    return std::optional(read(*given, of_trace));
  }
  for (const std::string& name : names_beside(trace)) {
    const Result<Input> input = trace.companion(name);
    if (input) return std::optional(read(*input, of_trace));
  }
  return std::optional<NamesFile>();
}

bool read_tables(const Input& input, const WalkedChunks& walked, Tables& tables, OddityCounts& odd,
                 const std::function<bool(std::uint64_t)>& go_on) {
  for (const Chunk& chunk : walked.chunks) {
    if (chunk.kind != kTableChunk) continue;
    if (!go_on(chunk.at)) return false;
    const std::optional<Payload> payload = read_payload(input, chunk, odd);
    if (payload) tables.read(chunk, *payload, odd);
  }
  tables.sort_snapshots();
  return true;
}

}  // namespace cinderscope::thread_stream
