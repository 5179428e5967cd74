#include "formats/thread_stream/code_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/thread_stream/near_colour.h"
#include "ingest/model/demangle.h"

namespace cinderscope::thread_stream {
namespace {

std::string_view file_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

StringId interned(const CallName& name, StringPool& pool) {
  const auto byte = [&](int i) { return static_cast<std::uint8_t>(name.rgba >> 8 * i); };
  const auto colour = name.rgba == 0 ? std::nullopt : near_colour(byte(0), byte(1), byte(2));
  if (!colour) return pool.intern(name.text);
  return pool.intern(name.text, demangled(name.text).value_or(name.text), *colour);
}

CodeNames::CodeNames(const Tables& trace, const Tables* beside, bool symbols_beside)
    : trace_(trace), beside_(beside), symbols_beside_(symbols_beside && beside != nullptr) {
  for (const Snapshot& snapshot : trace.snapshots) {
    Map& map = maps_.emplace_back();
    for (std::size_t i = 0; i < snapshot.segments.size(); ++i) {
      map.entries.push_back({snapshot.segments[i].begin, snapshot.segments[i].end, 0, i});
    }
    std::ranges::stable_sort(map.entries, {}, &Map::Entry::begin);
    std::uint64_t most = 0;
    for (Map::Entry& entry : map.entries) entry.most_end = most = std::max(most, entry.end);
  }
}

CallName CodeNames::site(std::uint32_t id) const {
  const Site* site = trace_.sites.find(id);
  const auto name = site == nullptr ? std::nullopt : trace_.string(site->name);
  if (!name) return {fmt::format("site #{}", id), false};
  return {std::string(*name), true, site->colour};
}

std::size_t CodeNames::snapshot_at(std::uint64_t tick) const {
  const auto after = std::ranges::upper_bound(trace_.snapshots, tick, {}, &Snapshot::tick);
  const auto before = static_cast<std::size_t>(after - trace_.snapshots.begin());
  return before == 0 ? 0 : before - 1;
}

std::uint64_t CodeNames::snapshot_begin(std::size_t snapshot) const {
  return snapshot == 0 ? 0 : trace_.snapshots[snapshot].tick;
}

std::uint64_t CodeNames::snapshot_end(std::size_t snapshot) const {
  return snapshot + 1 < trace_.snapshots.size() ? trace_.snapshots[snapshot + 1].tick : UINT64_MAX;
}

// Where several hold the address, the first in the file.
const Segment* CodeNames::in_snapshot(std::uint64_t address, std::size_t snapshot) const {
  const std::vector<Map::Entry>& entries = maps_[snapshot].entries;
  auto at = std::ranges::upper_bound(entries, address, {}, &Map::Entry::begin);
  std::size_t first = SIZE_MAX;
  while (at != entries.begin()) {
    --at;
    if (at->most_end <= address) break;
    if (address < at->end) first = std::min(first, at->segment);
  }
  return first == SIZE_MAX ? nullptr : &trace_.snapshots[snapshot].segments[first];
}

// It may have been loaded between two looks: then a later snapshot has it, or an earlier one.
CodeNames::Found CodeNames::find(std::uint64_t address, std::size_t snapshot) const {
  const Segment* segment = nullptr;
  for (std::size_t i = snapshot; i < maps_.size() && segment == nullptr; ++i) {
    segment = in_snapshot(address, i);
  }
  for (std::size_t i = std::min(snapshot, maps_.size()); i > 0 && segment == nullptr; --i) {
    segment = in_snapshot(address, i - 1);
  }
  if (segment == nullptr) return {};
  return {segment, {segment->module, address - segment->begin + segment->elf_begin}};
}

std::optional<Tables::Address> CodeNames::place(std::uint64_t address, std::size_t snapshot) const {
  const Found found = find(address, snapshot);
  if (found.segment == nullptr) return std::nullopt;
  return found.place;
}

std::string CodeNames::place_text(const Found& found, std::uint64_t address) const {
  if (found.segment == nullptr) return fmt::format("{:#x}", address);
  const std::string_view name = file_name(trace_.text(found.segment->path));
  if (name.empty()) return fmt::format("module #{}+{:#x}", found.place.module, found.place.elf);
  return fmt::format("{}+{:#x}", name, found.place.elf);
}

// False if no file has one; `use` gets the tables whose strings it names, and its frames.
template <class Use>
bool CodeNames::with_symbol(const Tables::Address& place, Use use) const {
  for (const Tables* tables : {&trace_, symbols_beside_ ? beside_ : nullptr}) {
    if (tables == nullptr) continue;
    const auto found = tables->symbols.find(place);
    if (found == tables->symbols.end() || found->second.count == 0) continue;
    use(*tables, &tables->frames[found->second.first], found->second.count);
    return true;
  }
  return false;
}

CallName CodeNames::address(std::uint64_t address, std::size_t snapshot) const {
  const Found found = find(address, snapshot);
  std::string name;
  if (found.segment != nullptr) {
    with_symbol(found.place,
                [&](const Tables& tables, const SymbolFrame* frames, std::size_t count) {
                  name = tables.text(frames[count - 1].function);
                });
  }
  if (!name.empty()) return {std::move(name), true};
  return {place_text(found, address), false};
}

std::vector<StackFrame> CodeNames::frames(std::uint64_t address, std::size_t snapshot) const {
  const Found found = find(address, snapshot);
  std::vector<StackFrame> made;
  if (found.segment != nullptr) {
    with_symbol(found.place,
                [&](const Tables& tables, const SymbolFrame* frames, std::size_t count) {
                  for (std::size_t i = 0; i < count; ++i) {
                    made.push_back({std::string(tables.text(frames[i].function)),
                                    std::string(tables.text(frames[i].file)), frames[i].line});
                  }
                });
  }
  if (made.empty()) made.emplace_back();
  for (StackFrame& frame : made) {
    if (frame.function.empty()) frame.function = place_text(found, address);
  }
  return made;
}

CallName CodeNames::managed(std::uint32_t ordinal, std::uint32_t token,
                            std::uint32_t class_token) const {
  // Names of the trace itself go first.
  const auto look_up = [&](auto table, auto key) -> std::pair<const Tables*, const void*> {
    for (const Tables* tables : {&trace_, beside_}) {
      if (tables == nullptr) continue;
      const auto found = (tables->*table).find(key);
      if (found != (tables->*table).end()) return {tables, &found->second};
    }
    return {};
  };
  const auto name_of = [&](auto table, auto key) -> std::optional<std::string_view> {
    const auto [tables, name] = look_up(table, key);
    if (tables == nullptr) return std::nullopt;
    return tables->text(*static_cast<const std::uint32_t*>(name));
  };
  const auto [tables, found] = look_up(&Tables::methods, pair_of(ordinal, token));
  if (tables == nullptr) {
    const auto assembly = name_of(&Tables::assemblies, ordinal);
    if (assembly && !assembly->empty()) {
      return {fmt::format("{}!0x{:08x}", *assembly, token), false};
    }
    return {fmt::format("asm #{}!0x{:08x}", ordinal, token), false};
  }
  const auto& method = *static_cast<const MethodEntry*>(found);
  const std::uint32_t owner = class_token != 0 ? class_token : method.class_token;
  const auto class_name = name_of(&Tables::classes, pair_of(ordinal, owner));
  const std::string_view name = tables->text(method.name);
  if (!class_name || class_name->empty()) return {std::string(name), true};
  return {fmt::format("{}.{}", *class_name, name), true};
}

std::size_t CodeNames::symbol_count() const {
  std::size_t count = trace_.symbols.size();
  if (!symbols_beside_) return count;
  for (const auto& [place, frames] : beside_->symbols) {
    count += trace_.symbols.contains(place) ? 0 : 1;
  }
  return count;
}

std::size_t CodeNames::method_count() const {
  std::size_t count = trace_.methods.size();
  if (beside_ == nullptr) return count;
  for (const auto& [key, method] : beside_->methods) {
    count += trace_.methods.contains(key) ? 0 : 1;
  }
  return count;
}

}  // namespace cinderscope::thread_stream
