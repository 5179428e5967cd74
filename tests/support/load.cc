#include "tests/support/load.h"

#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "ingest/build/row_writer.h"

namespace cinderscope {

LoadedTrace load_trace(const Format& format, Input input, LoadOptions options) {
  auto source = format.open(std::move(input));
  if (!source) throw std::runtime_error(source.error().text);
  LoadContext context(options);
  Result<Timeline> timeline = read_timeline(**source, context);
  if (!timeline) throw std::runtime_error(timeline.error().text);
  return {std::move(*source), std::move(*timeline)};
}

namespace {

// All slices and nested instants of a track by their depth.
struct WholeTrack {
  std::vector<std::vector<Slice>> rows, nested_instants;

  static void add(std::vector<std::vector<Slice>>& to, const std::vector<SliceRow>& rows,
                  std::size_t depth) {
    for (const SliceRow& row : rows) {
      if (depth >= to.size()) to.resize(depth + 1);
      for (std::uint64_t i = 0; i < row.count(); ++i) to[depth].push_back(row.slice(i));
      ++depth;
    }
  }
  static std::vector<SliceRow> packed(std::vector<std::vector<Slice>>& rows,
                                      const StringPool& names) {
    RowWriter writer(names);
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      std::stable_sort(rows[row].begin(), rows[row].end(), [](const Slice& a, const Slice& b) {
        return std::pair(a.begin_ns, a.record) < std::pair(b.begin_ns, b.record);
      });
      for (const Slice& slice : rows[row]) writer.append(row, slice);
    }
    return writer.take();
  }
};

void fetch(LoadedTrace& trace, const std::vector<DeferredChildren>& deferred, std::size_t depth,
           std::uint64_t piece, WholeTrack& whole) {
  for (const DeferredChildren& uncounted : deferred) {
    const DeferredChildren entry = counted(*trace.source, uncounted, *trace.timeline.strings);
    std::uint64_t first = 0;
    do {
      LoadContext context({.jobs = 1});
      const std::uint64_t count = entry.count == 0 ? 0 : piece;
      auto children = trace.source->load_children({entry.source_key, first, count},
                                                  *trace.timeline.strings, context);
      if (!children) throw std::runtime_error(children.error().text);
      const std::size_t inside = depth + entry.row + 1;
      WholeTrack::add(whole.rows, children->rows, inside);
      WholeTrack::add(whole.nested_instants, children->nested_instants, inside);
      fetch(trace, children->deferred, inside, piece, whole);
      first += piece;
    } while (first < entry.count);
  }
}

}  // namespace

DeferredChildren counted(TraceSource& source, DeferredChildren children, StringPool& names) {
  if (children.count != kNotCounted) return children;
  LoadContext context({.jobs = 1});
  const auto answer = source.load_children(
      {.source_key = children.source_key, .source = children.source, .only_count = true}, names,
      context);
  if (!answer) throw std::runtime_error(answer.error().text);
  children.count = answer->count;
  children.piece_children = answer->piece_children;
  return children;
}

LoadedTrace load_in_pieces(const Format& format, Input input, LoadOptions options,
                           std::uint64_t piece) {
  options.lazy_above_bytes = 0;
  LoadedTrace trace = load_trace(format, std::move(input), options);
  Timeline& timeline = trace.timeline;
  if (!has_calls_on_disk(timeline)) return trace;
  timeline.slice_count = timeline.unfinished_count = timeline.instant_count = 0;
  for (Track& track : timeline.tracks) {
    WholeTrack whole;
    WholeTrack::add(whole.rows, track.root().rows, 0);
    WholeTrack::add(whole.nested_instants, track.root().nested_instants, 0);
    fetch(trace, track.root().deferred, 0, piece, whole);
    auto block = std::make_shared<SliceBlock>();
    track.slice_count = 0;
    for (const auto& row : whole.rows) {
      track.slice_count += row.size();
      for (const Slice& slice : row) {
        timeline.unfinished_count += (slice.flags & kUnfinished) != 0 ? 1 : 0;
      }
    }
    block->rows = WholeTrack::packed(whole.rows, *timeline.strings);
    block->nested_instants = WholeTrack::packed(whole.nested_instants, *timeline.strings);
    track.blocks = {std::move(block)};
    timeline.slice_count += track.slice_count;
    timeline.instant_count += instant_count(track);
  }
  return trace;
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return bytes_of(text);
}

std::vector<std::byte> packed_by_zstd(std::span<const std::byte> bytes) {
  std::vector<std::byte> out(ZSTD_compressBound(bytes.size()));
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

std::vector<std::byte> packed_by_lz4(std::span<const std::byte> bytes) {
  std::vector<std::byte> out(LZ4F_compressFrameBound(bytes.size(), nullptr));
  out.resize(LZ4F_compressFrame(out.data(), out.size(), bytes.data(), bytes.size(), nullptr));
  return out;
}

std::vector<std::byte> gzipped(std::span<const std::byte> bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  std::vector<std::byte> out(deflateBound(&stream, bytes.size()));
  stream.next_in = reinterpret_cast<z_const Bytef*>(const_cast<std::byte*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("deflate");
  return out;
}

}  // namespace cinderscope
