#include "formats/thread_stream/kept/kept_recording.h"

#include <algorithm>
#include <functional>

namespace cinderscope::thread_stream {
namespace {

// Writing and reading name the same fields, in the same order.
template <class Way, class AnyChunk>
void do_chunk(const Way& field, AnyChunk& chunk) {
  field(chunk.at);
  field(chunk.stored_bytes);
  field(chunk.full_bytes);
  field(chunk.there_bytes);
  field(chunk.stream);
  field(chunk.sequence);
  field(chunk.ordinal);
  field(chunk.first_tick);
  field(chunk.last_tick);
  field(chunk.count);
  field(chunk.crc);
  field(chunk.kind);
  field(chunk.flags);
  field(chunk.place);
}
constexpr std::size_t kKeptChunkBytes = 76;

template <class Way, class Counts>
void do_counts(const Way& field, Counts& counts) {
  field(counts.records);
  field(counts.lost);
  field(counts.gaps);
  field(counts.args);
  field(counts.stacks);
  field(counts.frames);
  field(counts.clock_steps);
}

bool lies_in(const Chunk& chunk, std::uint64_t input_bytes) {
  if (chunk.at > input_bytes || input_bytes - chunk.at < kChunkHeaderBytes) return false;
  return chunk.there_bytes <= chunk.stored_bytes &&
         chunk.there_bytes <= input_bytes - chunk.payload_at();
}

}  // namespace

void save_recording(const Recording& recording, FieldWriter& out) {
  const auto field = [&out](const auto& value) { out.add(value); };
  out.add(std::uint64_t{recording.walked.chunks.size()});
  for (const Chunk& chunk : recording.walked.chunks) do_chunk(field, chunk);
  out.add(recording.walked.accepted);
  out.add(recording.walked.place_end);
  do_counts(field, recording.counts);
  out.add(recording.used_streams);
  out.add(recording.has_module_files);
  for (std::size_t i = 0; i < static_cast<std::size_t>(Oddity::kinds); ++i) {
    out.add(recording.odd.of(static_cast<Oddity>(i)));
    out.add(recording.odd.first_at(static_cast<Oddity>(i)));
  }
  out.add(std::uint64_t{recording.lz4_chunks.size()});
  for (const std::uint32_t chunk : recording.lz4_chunks) out.add(chunk);
  out.add(std::uint64_t{recording.links.size()});
  for (const ChunkLink& link : recording.links) {
    out.add(link.from);
    out.add(link.to);
  }
  out.add(std::uint64_t{recording.clock_steps.size()});
  for (const ClockStep& step : recording.clock_steps) {
    out.add(step.chunk);
    out.add(step.place);
    out.add(step.offset);
  }
}

bool restore_recording(FieldReader& in, const Input& input, Recording& out) {
  const auto field = [&in]<class T>(T& value) { value = in.take<T>(); };
  std::vector<Chunk>& chunks = out.walked.chunks;
  chunks.resize(in.take_count(kKeptChunkBytes));
  for (Chunk& chunk : chunks) {
    do_chunk(field, chunk);
    if (!lies_in(chunk, input.size_bytes())) in.fail();
  }
  out.walked.accepted = in.take<std::uint64_t>();
  out.walked.place_end = in.take<std::uint64_t>();
  do_counts(field, out.counts);
  out.used_streams = in.take<std::uint64_t>();
  out.has_module_files = in.take<bool>();
  for (std::size_t i = 0; i < static_cast<std::size_t>(Oddity::kinds); ++i) {
    const auto count = in.take<std::uint64_t>();
    out.odd.count(static_cast<Oddity>(i), in.take<std::int64_t>(), count);
  }
  const auto is_chunk = [&chunks](std::uint32_t i) { return i < chunks.size(); };
  out.lz4_chunks.resize(in.take_count(sizeof(std::uint32_t)));
  for (std::uint32_t& chunk : out.lz4_chunks) {
    field(chunk);
    if (!is_chunk(chunk)) in.fail();
  }
  out.links.resize(in.take_count(8));
  for (ChunkLink& link : out.links) {
    field(link.from);
    field(link.to);
    // Onwards, so that following them comes to an end.
    const bool is_link = is_chunk(link.from) && is_chunk(link.to) &&
                         chunks[link.from].stream == chunks[link.to].stream &&
                         chunks[link.from].sequence < chunks[link.to].sequence;
    if (!is_link) in.fail();
  }
  out.clock_steps.resize(in.take_count(20));
  for (ClockStep& step : out.clock_steps) {
    field(step.chunk);
    field(step.place);
    field(step.offset);
  }
  return in.ok() && std::ranges::is_sorted(chunks, {}, &Chunk::at);
}

void save_called(const std::vector<CalledCode>& called, FieldWriter& out) {
  out.add(std::uint64_t{called.size()});
  for (const CalledCode& code : called) {
    out.add(code.key);
    out.add(code.detail);
    out.add(code.name);
    out.add(code.known);
  }
}

bool restore_called(FieldReader& in, std::uint32_t name_count, std::vector<CalledCode>& out) {
  out.resize(in.take_count(21));
  for (CalledCode& code : out) {
    code.key = in.take<std::uint64_t>();
    code.detail = in.take<std::uint64_t>();
    code.name = in.take<StringId>();
    code.known = in.take<bool>();
    if (index(code.name) >= name_count) in.fail();
  }
  return in.ok();
}

}  // namespace cinderscope::thread_stream
