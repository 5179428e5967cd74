// The index file: written as the recorder does, compared with the data, never trusted.
#include <gtest/gtest.h>

#include "tests/support/dump.h"
#include "tests/support/lincheck_files.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

class LincheckIndexTest : public testing::Test {
 protected:
  std::filesystem::path copy(const std::string& name) {
    const auto trace = folder_.path() / "run.trace";
    write_bytes(trace, read_file(lincheck_case(name, "input.trace")));
    std::filesystem::remove(trace.string() + ".idx");
    return trace;
  }
  static LoadedTrace load(const std::filesystem::path& trace) {
    auto input = Input::from_path(trace);
    if (!input) throw std::runtime_error(input.error().text);
    return load_trace(lincheck_format(), std::move(*input), {.jobs = 1});
  }
  static std::string written_index(const std::filesystem::path& trace) {
    auto input = Input::from_path(trace);
    if (!input) return input.error().text;
    auto source = lincheck_format().open(std::move(*input));
    if (!source) return source.error().text;
    LoadContext context({.jobs = 1});
    const auto path = (*source)->index_file()->write(context);
    return path ? text_of_file(*path) : path.error().text;
  }
  static bool reports(const LoadedTrace& trace, const std::string& code) {
    return trace.timeline.diagnostics.by_code().contains(code);
  }

  static std::string without_diagnostics(const std::string& text) {
    return text.substr(0, text.find("\ndiagnostic"));
  }

  TempDir folder_;
};

TEST_F(LincheckIndexTest, IsWrittenByteForByteAsTheRecorderDoes) {
  for (const std::string name :
       {"tiny_stream", "tiny_dump", "recorded_stream", "v8", "v13", "v19"}) {
    EXPECT_EQ(written_index(copy(name)), text_of_file(lincheck_case(name, "index.idx"))) << name;
  }
}

// The recorder shifts the two numbers of that cell, which mean nothing, by the place of the last
// block when it dumps; the format document has -1 in them, as it writes itself while streaming.
TEST_F(LincheckIndexTest, OfADumpDiffersOnlyInTheLastCellWhoseEndsMeanNothing) {
  std::string recorded = text_of_file(lincheck_case("recorded_dump", "index.idx"));
  recorded.replace(recorded.size() - 24, 16, std::string(16, '\xff'));
  EXPECT_EQ(written_index(copy("recorded_dump")), recorded);
}

TEST_F(LincheckIndexTest, IsFoundHealthyWhereItIs) {
  for (const std::string name : {"tiny_stream", "tiny_dump", "recorded_stream", "recorded_dump"}) {
    const auto trace = copy(name);
    write_bytes(trace.string() + ".idx", read_file(lincheck_case(name, "index.idx")));
    const LoadedTrace loaded = load(trace);
    EXPECT_FALSE(reports(loaded, "index_rebuilt") || reports(loaded, "index_damaged")) << name;
  }
}

TEST_F(LincheckIndexTest, SaysThatItIsMissingOrCut) {
  const auto trace = copy("tiny_stream");
  EXPECT_TRUE(reports(load(trace), "index_rebuilt"));
  auto index = read_file(lincheck_case("tiny_stream", "index.idx"));
  for (const std::size_t size : {0u, 10u, 16u, 30u, 1000u, 1955u}) {
    write_bytes(trace.string() + ".idx", std::span(index).first(size));
    EXPECT_TRUE(reports(load(trace), "index_rebuilt")) << size;
  }
}

TEST_F(LincheckIndexTest, IsNoticedToBeWrongWhateverByteIs) {
  const auto trace = copy("tiny_stream");
  const std::string healthy = [&] {
    write_bytes(trace.string() + ".idx", read_file(lincheck_case("tiny_stream", "index.idx")));
    const LoadedTrace loaded = load(trace);
    return dump(loaded.timeline, loaded.source.get());
  }();
  auto index = read_file(lincheck_case("tiny_stream", "index.idx"));
  for (std::size_t i = 0; i < index.size(); ++i) {
    index[i] ^= std::byte{0x41};
    write_bytes(trace.string() + ".idx", index);
    const LoadedTrace loaded = load(trace);
    index[i] ^= std::byte{0x41};
    const std::string text = dump(loaded.timeline, loaded.source.get());
    const bool said = reports(loaded, "index_damaged");
    // The ends of objects, and all but the kind of the last cell, mean nothing.
    EXPECT_TRUE(said || text == healthy) << "byte " << i;
    EXPECT_EQ(without_diagnostics(text), without_diagnostics(healthy)) << "byte " << i;
  }
}

}  // namespace
}  // namespace cinderscope
