// What the machine can do at most, one core, beside which the viewer's own numbers are put.
//
//   limits [--json FILE] [--spall FILE] [--packed FILE]
//
// Prints one JSON object. Each number is the best of three. FILE: of gen_trace, the .spall one of
// version 1; at most 256 MB of it are looked at, warm in the page cache. A packed file is unpacked
// whole, to nowhere.
#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/spall/flat_record.h"
#include "ingest/input/input.h"
#include "ingest/input/unpack/unpacker.h"
#include "ingest/os/mapped_file.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr int kRuns = 3;

double best_seconds(const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < kRuns; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

// What is computed must be used, or it is not computed.
volatile std::uint64_t used;

class Report {
 public:
  void add(std::string_view name, double value) {
    text_ += fmt::format("{}\n \"{}\": {:.1f}", text_.empty() ? "{" : ",", name, value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::span<const std::byte> part_of(const Input& input) {
  return input.pin(0, kMostBytes)->bytes();
}

void memory(Report& report) {
  std::vector<std::uint64_t> from(kMostBytes / 8, 1), to(kMostBytes / 8, 2);
  const double copy = best_seconds([&] { std::memcpy(to.data(), from.data(), kMostBytes); });
  report.add("memcpy_mb_per_second", static_cast<double>(kMostBytes) / 1e6 / copy);
  std::vector<std::uint32_t> ids(100'000'000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::uint32_t>(i * 2654435761u);
  const double count = best_seconds(
      [&] { used = static_cast<std::uint64_t>(std::count(ids.begin(), ids.end(), 12345u)); });
  report.add("count_100m_ids_ms", count * 1e3);
}

void read_mapped(Report& report, std::string_view of, std::span<const std::byte> bytes) {
  const double seconds = best_seconds([&] {
    std::uint64_t sum = 0, word = 0;
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      std::memcpy(&word, bytes.data() + i, 8);
      sum += word;
    }
    used = sum;
  });
  report.add(fmt::format("read_{}_mb_per_second", of),
             static_cast<double>(bytes.size()) / 1e6 / seconds);
}

void json(Report& report, const std::string& path) {
  const Result<Input> input = Input::from_path(path);
  if (!input) return;
  const std::span<const std::byte> bytes = part_of(*input);
  read_mapped(report, "json", bytes);
  // From the first event to the end of the last whole line, as an array.
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t begin = text.find('[');
  if (begin == std::string_view::npos) return;
  text = text.substr(begin, text.rfind("},\n") + 1 - begin);
  const simdjson::padded_string padded(std::string(text) + "]");
  const double mb = static_cast<double>(padded.size()) / 1e6;

  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  const auto& implementation = simdjson::get_active_implementation();
  if (implementation->create_dom_parser_implementation(padded.size(), 1024, parser) != 0) return;
  const double stage_1 = best_seconds([&] {
    used = static_cast<std::uint64_t>(
        parser->stage1(reinterpret_cast<const std::uint8_t*>(padded.data()), padded.size(),
                       simdjson::stage1_mode::regular));
  });
  report.add("json_stage_1_mb_per_second", mb / stage_1);

  simdjson::ondemand::parser reader;
  const double fields = best_seconds([&] {
    simdjson::ondemand::document document;
    simdjson::ondemand::array events;
    std::uint64_t sum = 0;
    if (reader.iterate(padded).get(document) != 0 || document.get_array().get(events) != 0) return;
    for (auto event : events) {
      simdjson::ondemand::object object;
      if (event.get_object().get(object) != 0) continue;
      for (auto field : object) {
        std::string_view key, value;
        double number = 0;
        if (field.unescaped_key().get(key) != 0) break;
        if (key == "ts" || key == "dur") {
          if (field.value().get_double().get(number) == 0)
            sum += static_cast<std::uint64_t>(number);
        } else if (key == "name" || key == "ph" || key == "cat") {
          if (field.value().get_string().get(value) == 0) sum += value.size();
        } else if (field.value().raw_json_token().get(value) == 0) {
          sum += value.size();
        }
      }
    }
    used = sum;
  });
  report.add("json_on_demand_mb_per_second", mb / fields);
}

void spall(Report& report, const std::string& path) {
  const Result<Input> input = Input::from_path(path);
  if (!input) return;
  const std::span<const std::byte> bytes = part_of(*input);
  read_mapped(report, "spall", bytes);
  std::uint64_t records = 0;
  const double seconds = best_seconds([&] {
    std::uint64_t sum = 0;
    records = 0;
    for (std::size_t at = spall::kHeaderBytes; at < bytes.size();) {
      const spall::FlatRecord record =
          spall::flat_record<spall::kV1>(bytes.data() + at, bytes.size() - at);
      if (record.size_bytes == 0) break;
      sum += record.thread.tid + cinderscope::load_value<std::uint64_t>(bytes.data() + at + 9);
      at += record.size_bytes;
      ++records;
    }
    used = sum;
  });
  report.add("spall_loop_records_per_second", static_cast<double>(records) / seconds);
}

void packed(Report& report, const std::string& path) {
  UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const off_t size_bytes = file ? lseek(file.get(), 0, SEEK_END) : 0;
  if (size_bytes <= 0) return;
  const MappedFile mapped(std::move(file), static_cast<std::uint64_t>(size_bytes));
  if (!mapped.ok()) return;
  const double seconds = best_seconds([&] {
    std::uint64_t bytes = 0;
    Unpacker unpacker([&](std::span<const std::byte> piece) {
      bytes += piece.size();
      return true;
    });
    unpacker.feed(mapped.bytes());
    unpacker.finish();
    used = bytes;
  });
  report.add("unpack_mb_per_second", static_cast<double>(used) / 1e6 / seconds);
}

int run(int argc, char** argv) {
  Report report;
  memory(report);
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--json") json(report, argv[i + 1]);
    if (option == "--spall") spall(report, argv[i + 1]);
    if (option == "--packed") packed(report, argv[i + 1]);
  }
  fmt::print("{}\n}}\n", report.text());
  return 0;
}

}  // namespace
}  // namespace cinderscope

int main(int argc, char** argv) {
  return cinderscope::run(argc, argv);
}
