#include "ingest/search/typed_slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "ingest/base/ascii.h"
#include "ingest/base/number_text.h"
#include "ingest/base/saturating.h"
#include "ingest/search/slice_bits.h"
#include "ingest/search/typed_thread.h"

namespace cinderscope {
namespace {

constexpr std::size_t kShownBytes = 100;    // of what was typed, in an error
constexpr std::size_t kMostSlashes = 64;    // of a name, behind which a thread is looked for
constexpr std::size_t kLongestText = 8192;  // longer ones mean no slice of ours

std::string in_quotes(std::string_view text) {
  return fmt::format("\"{}\"", text.substr(0, kShownBytes));
}

// What stands behind the last @ or #; false: it belongs to the name.
bool read_suffix(char sign, std::string_view text, TypedSlice& to) {
  using enum WhichSlice;
  if (sign == '@') {
    Result<TypedTime> time = typed_time(text);
    if (!time) return false;
    to.which = at_time;
    to.time = std::move(*time);
    return true;
  }
  const auto number = parse_number<std::uint64_t>(text);
  if (number && *number > 0) {
    to.k = *number;
    return true;
  }
  for (const auto& [word, which] :
       {std::pair("longest", longest), std::pair("median", median), std::pair("last", last)}) {
    if (text != word) continue;
    to.which = which;
    return true;
  }
  return false;
}

// Where a name in quotes begins that goes to the end of `text`; npos if none does.
std::size_t begin_of_quoted(std::string_view text) {
  if (text.size() < 2 || text.back() != '"') return std::string_view::npos;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] != '"' || (at > 0 && text[at - 1] != '/')) continue;
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    if (end + 1 == text.size()) return at;
  }
  return std::string_view::npos;
}

std::string unquoted(std::string_view text) {
  text = text.substr(1, text.size() - 2);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\');
    if (escaped) ++i;
    plain += text[i];
  }
  return plain;
}

}  // namespace

Result<TypedSlice> typed_slice(std::string_view text) {
  TypedSlice typed{.text = std::string(text.substr(0, kLongestText)), .path = {}, .name = {}};
  if (text.size() > kLongestText) return refused("The call's name is too long.");
  std::string_view rest = text;
  if (begin_of_quoted(rest) == std::string_view::npos) {
    const std::size_t sign = rest.find_last_of("@#");
    if (sign != std::string_view::npos && read_suffix(rest[sign], rest.substr(sign + 1), typed)) {
      rest = rest.substr(0, sign);
    }
  }
  if (const std::size_t begin = begin_of_quoted(rest); begin != std::string_view::npos) {
    typed.name = unquoted(rest.substr(begin));
    rest = rest.substr(0, begin == 0 ? 0 : begin - 1);
  } else if (rest.empty()) {
    return refused("A call is missing: give its name, as in work, main/work or work@+1.2s.");
  }
  typed.path = rest;
  return typed;
}

Result<WantedSlice> wanted_slice(const Timeline& timeline, const TimeContext& times,
                                 const TypedSlice& typed) {
  WantedSlice wanted{.name = typed.name.value_or(typed.path),
                     .tracks = {},
                     .which = typed.which,
                     .k = typed.k,
                     .text = typed.text};
  const auto tracks_of = [&timeline](std::string_view thread) -> Result<std::vector<TrackId>> {
    const Result<TypedThread> read = typed_thread(thread);
    if (!read) return read.error();
    return tracks_meant(timeline, std::span(&*read, 1));
  };
  if (typed.name && !typed.path.empty()) {
    Result<std::vector<TrackId>> tracks = tracks_of(typed.path);
    if (!tracks) return tracks.error();
    wanted.tracks = std::move(*tracks);
  } else if (!typed.name) {
    const std::string_view path = typed.path;
    std::size_t slash = path.rfind('/');
    for (std::size_t i = 0; i < kMostSlashes && slash != std::string_view::npos && slash > 0; ++i) {
      Result<std::vector<TrackId>> tracks = tracks_of(path.substr(0, slash));
      if (tracks && slash + 1 < path.size()) {
        wanted.tracks = std::move(*tracks);
        wanted.name = path.substr(slash + 1);
        break;
      }
      slash = path.rfind('/', slash - 1);
    }
  }
  if (typed.which == WhichSlice::at_time) {
    const Result<std::int64_t> time = time_in(times, typed.time);
    if (!time) return time.error();
    wanted.time_ns = *time;
  }
  return wanted;
}

namespace {

struct Found {
  SliceRef ref;
  std::int64_t begin_ns = 0, duration_ns = 0;
};

bool goes_before(const Found& a, const Found& b) {
  return std::tuple(a.begin_ns, index(a.ref.track), index(a.ref.block), a.ref.row, a.ref.slice) <
         std::tuple(b.begin_ns, index(b.ref.track), index(b.ref.block), b.ref.row, b.ref.slice);
}

// The slices of some names on some tracks, to be gone through again and again.
class Candidates {
 public:
  explicit Candidates(NameMask names) : names_(std::move(names)) {}

  void add(const TrackSlices& track) { tracks_.push_back(&track); }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const TrackSlices* track : tracks_) {
      for (std::uint32_t b = 0; b < track->blocks.size(); ++b) {
        if (track->blocks[b] == nullptr) continue;
        const std::vector<SliceRow>& rows = track->blocks[b]->rows;
        for (std::uint32_t r = 0; r < rows.size(); ++r) {
          visit_row(rows[r], {track->track, BlockId{b}, r, 0}, visit);
        }
      }
    }
  }
  std::uint64_t count() const {
    std::uint64_t count = 0;
    for_each([&count](const Found&) { ++count; });
    return count;
  }

 private:
  template <class Visit>
  void visit_row(const SliceRow& row, SliceRef ref, Visit& visit) const {
    for (std::size_t c = 0; c < row.chunks.size(); ++c) {
      const SliceChunk& chunk = *row.chunks[c];
      ChunkBits bits{};
      if (mark_names(chunk, names_, bits) == 0) continue;
      for (std::size_t word = 0; word < bits.size(); ++word) {
        for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
          const auto i =
              static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(left)));
          ref.slice = c * kChunkSlices + i;
          visit(Found{ref, chunk.begin_ns(i), chunk.duration_ns(i)});
        }
      }
    }
  }

  NameMask names_;
  std::vector<const TrackSlices*> tracks_;
};

// The key of that rank (0: smallest), and how many of smaller keys there are: four passes, each of
// which settles 16 bits, so that nothing has to be kept of each slice.
template <class Key>
std::pair<std::uint64_t, std::uint64_t> key_of_rank(const Candidates& all, std::uint64_t rank,
                                                    Key key) {
  std::uint64_t settled = 0, smaller = 0;
  for (int shift = 48; shift >= 0; shift -= 16) {
    std::vector<std::uint64_t> counts(1 << 16);
    all.for_each([&](const Found& found) {
      const std::uint64_t value = key(found);
      const bool fits = shift == 48 || value >> (shift + 16) == settled >> (shift + 16);
      if (fits) ++counts[value >> shift & 0xffff];
    });
    std::uint64_t digit = 0;
    while (smaller + counts[digit] <= rank) smaller += counts[digit++];
    settled |= digit << shift;
  }
  return {settled, smaller};
}

// Keeps the order of signed numbers.
std::uint64_t unsigned_key(std::int64_t value) {
  return static_cast<std::uint64_t>(value) ^ std::uint64_t{1} << 63;
}

SliceRef nth_of(const Candidates& all, std::uint64_t rank) {
  const auto key = [](const Found& found) { return unsigned_key(found.begin_ns); };
  const auto [begin, smaller] = key_of_rank(all, rank, key);
  std::vector<Found> at_once;
  all.for_each([&, wanted = begin](const Found& found) {
    if (key(found) == wanted) at_once.push_back(found);
  });
  std::ranges::sort(at_once, goes_before);
  return at_once[rank - smaller].ref;
}

// The one that comes first by `better`, of equal ones the first by begin.
template <class Better>
SliceRef best_of(const Candidates& all, Better better) {
  std::optional<Found> best;
  all.for_each([&](const Found& found) {
    const bool wins =
        !best || better(found, *best) || (!better(*best, found) && goes_before(found, *best));
    if (wins) best = found;
  });
  return best ? best->ref : SliceRef{};
}

SliceRef median_of(const Candidates& all, std::uint64_t count) {
  const auto key = [](const Found& found) { return unsigned_key(found.duration_ns); };
  const std::uint64_t wanted = key_of_rank(all, (count - 1) / 2, key).first;
  return best_of(
      all, [&](const Found& a, const Found& b) { return key(a) == wanted && key(b) != wanted; });
}

SliceRef at_time_of(const Candidates& all, std::int64_t time_ns) {
  const auto covers = [time_ns](const Found& found) {
    return found.begin_ns == time_ns ||
           (found.begin_ns < time_ns &&
            time_ns < saturating_sum(found.begin_ns, found.duration_ns));
  };
  const auto distance = [time_ns](const Found& found) {
    return found.begin_ns < time_ns ? saturating_difference(time_ns, found.begin_ns)
                                    : saturating_difference(found.begin_ns, time_ns);
  };
  // Of those that cover it the one that begins last is the nearest, too.
  return best_of(all, [&](const Found& a, const Found& b) {
    const bool a_covers = covers(a), b_covers = covers(b);
    return a_covers != b_covers ? a_covers : distance(a) < distance(b);
  });
}

NameMask mask_of(const StringPool& strings, std::string_view name) {
  if (name == "(no name)") name = {};
  std::vector<std::uint8_t> holds(strings.size());
  for (std::uint32_t i = 0; i < holds.size(); ++i) {
    holds[i] = strings.text(StringId{i}) == name || strings.label(StringId{i}) == name ? 1 : 0;
  }
  return NameMask(std::move(holds));
}

}  // namespace

Result<SliceRef> find_slice(const SliceSet& slices, const WantedSlice& wanted) {
  Candidates candidates(mask_of(*slices.strings, wanted.name));
  std::uint64_t count = 0;
  if (wanted.tracks) {
    for (const TrackSlices& track : slices.tracks) {
      if (std::ranges::find(*wanted.tracks, track.track) != wanted.tracks->end()) {
        candidates.add(track);
      }
    }
    count = candidates.count();
  }
  for (const bool of_threads : {true, false}) {
    if (wanted.tracks || count > 0) break;
    for (const TrackSlices& track : slices.tracks) {
      if ((track.kind == TrackKind::thread) == of_threads) candidates.add(track);
    }
    count = candidates.count();
  }
  if (count == 0) return refused(fmt::format("There is no call {}.", in_quotes(wanted.text)));
  switch (wanted.which) {
    case WhichSlice::nth:
      if (wanted.k > count) {
        return refused(fmt::format("There are only {} calls {}.", count, in_quotes(wanted.name)));
      }
      return nth_of(candidates, wanted.k - 1);
    case WhichSlice::last:
      return nth_of(candidates, count - 1);
    case WhichSlice::longest:
      return best_of(candidates,
                     [](const Found& a, const Found& b) { return a.duration_ns > b.duration_ns; });
    case WhichSlice::median:
      return median_of(candidates, count);
    case WhichSlice::at_time:
      break;
  }
  return at_time_of(candidates, wanted.time_ns);
}

std::string typed_name(std::string_view name) {
  if (!name.empty() && name.find_first_of("/@#\"\\") == std::string_view::npos) {
    return std::string(name);
  }
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace cinderscope
