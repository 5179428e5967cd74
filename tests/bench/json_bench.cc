// Google JSON a stage at a time, beside its limit: simdjson's first stage over the same text.
// CINDERSCOPE_BENCH_JSON names the file, CINDERSCOPE_BENCH_GZIP a packed one; without it, a text of
// 64 MB is made.
#include <benchmark/benchmark.h>
#include <simdjson.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formats/all_formats.h"
#include "formats/google_json/event_border.h"
#include "formats/google_json/window_parser.h"
#include "ingest/base/parallel.h"
#include "ingest/format/format.h"
#include "ingest/input/unpack/unpacker.h"

namespace cinderscope {
namespace {

std::string made_text() {
  std::string text = "[";
  std::uint64_t state = 1;
  for (std::int64_t time = 0; text.size() < 64'000'000; time += 3) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::string tid = std::to_string(state >> 62);
    const bool begins = (time & 1) == 0;
    text += R"({"ph":")" + std::string(begins ? "B" : "E") + R"(","pid":1000,"tid":)" + tid +
            R"(,"ts":)" + std::to_string(time) + "." + std::to_string(state >> 60);
    if (begins) {
      text += R"(,"cat":"gen","name":"render::detail::hashPage#)" + std::to_string(state >> 57) +
              R"(","args":{"id":)" + std::to_string(state >> 48) + R"(,"kind":"warm"})";
    }
    text += "},\n";
  }
  return text + "]";
}

Input open_input() {
  if (const char* path = std::getenv("CINDERSCOPE_BENCH_JSON")) {
    Result<Input> input = Input::from_path(path);
    if (input) return std::move(*input);
  }
  const std::string text = made_text();
  const auto bytes = std::as_bytes(std::span(text));
  return Input::from_memory("made.json", {bytes.begin(), bytes.end()});
}

const Input& input() {
  static const Input opened = open_input();
  return opened;
}

// Where windows of about 1 MB begin, each at an event, and where the last one ends.
const std::vector<std::uint64_t>& borders() {
  static const std::vector<std::uint64_t> cut = [] {
    google_json::GrowingText text(input());
    const std::uint64_t end = input().size_bytes();
    std::vector<std::uint64_t> made;
    for (std::uint64_t at = 0; at < end; at += 1u << 20) {
      made.push_back(google_json::find_event(text, at, end).value_or(end));
    }
    made.push_back(end);
    return made;
  }();
  return cut;
}

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(borders().back() - borders().front()));
}

void index_alone(benchmark::State& state) {
  const auto text = reinterpret_cast<const std::uint8_t*>(input().pin_all()->bytes().data());
  const std::vector<std::uint64_t>& cut = borders();
  for (auto _ : state) {
    parallel_for(cut.size() - 1, static_cast<unsigned>(state.range(0)), [&](std::size_t i) {
      constexpr std::size_t kCapacity = 4u << 20;
      static thread_local std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
      if (!parser) {
        (void)simdjson::get_active_implementation()->create_dom_parser_implementation(kCapacity, 1,
                                                                                      parser);
      }
      const std::size_t size = std::min<std::size_t>(kCapacity, cut[i + 1] - cut[i]);
      if (size == 0) return;
      benchmark::DoNotOptimize(parser->stage1(text + cut[i], size, simdjson::stage1_mode::regular));
    });
  }
  count_bytes(state);
}
BENCHMARK(index_alone)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void parse_alone(benchmark::State& state) {
  const std::vector<std::uint64_t>& cut = borders();
  for (auto _ : state) {
    parallel_for(cut.size() - 1, static_cast<unsigned>(state.range(0)), [&](std::size_t i) {
      static thread_local google_json::WindowParser parser(input());
      static thread_local google_json::EventBatch batch;
      batch.clear();
      batch = parser.parse(cut[i], cut[i + 1], true, std::move(batch));
      benchmark::DoNotOptimize(batch.element_count);
    });
  }
  count_bytes(state);
}
BENCHMARK(parse_alone)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void load_whole(benchmark::State& state) {
  for (auto _ : state) {
    auto source = format_named("google_json")->open(open_input());
    LoadContext control({.jobs = static_cast<unsigned>(state.range(0))});
    auto timeline = read_timeline(**source, control);
    benchmark::DoNotOptimize(timeline);
  }
  count_bytes(state);
}
BENCHMARK(load_whole)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

// As gzip -1 would pack the made text.
std::vector<std::byte> made_gzip() {
  const std::string text = made_text();
  std::vector<std::byte> packed(text.size());
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

const std::vector<std::byte>& gzip() {
  static const std::vector<std::byte> bytes = [] {
    const char* path = std::getenv("CINDERSCOPE_BENCH_GZIP");
    if (path == nullptr) return made_gzip();
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto read = std::as_bytes(std::span(text));
    return std::vector<std::byte>(read.begin(), read.end());
  }();
  return bytes;
}

void unpack_alone(benchmark::State& state) {
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    Unpacker unpacker([&](std::span<const std::byte> piece) {
      bytes += piece.size();
      return true;
    });
    unpacker.feed(gzip());
    unpacker.finish();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(unpack_alone)->Unit(benchmark::kMillisecond)->UseRealTime();

void load_packed(benchmark::State& state) {
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    auto source = format_named("google_json")->open(Input::from_memory("made.json.gz", gzip()));
    LoadContext control({.jobs = static_cast<unsigned>(state.range(0))});
    auto timeline = read_timeline(**source, control);
    benchmark::DoNotOptimize(timeline);
    bytes += (*source)->input().size_bytes();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(load_packed)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace cinderscope
