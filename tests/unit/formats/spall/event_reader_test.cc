#include "formats/spall/event_reader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <string>

#include "formats/spall/buffer_reader.h"
#include "formats/spall/flat_reader.h"
#include "formats/spall/spall_file.h"
#include "ingest/build/timeline_builder.h"
#include "tests/support/load.h"

namespace cinderscope::spall {
namespace {

template <class T>
std::string raw(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::string header(std::uint64_t version) {
  return raw<std::uint64_t>(0x0BADF00D) + raw(version) + raw(1.0) + raw<std::uint64_t>(0);
}

// So many that a look at the flag comes in the midst of them.
std::string events(bool flat) {
  const std::string thread = flat ? raw<std::uint32_t>(1) + raw<std::uint32_t>(1) : "";
  std::string all;
  for (int i = 0; i < 20'000; ++i) {
    const auto time = [&](int at) {
      return flat ? raw(static_cast<double>(at)) : raw(static_cast<std::uint64_t>(at));
    };
    const std::string category = flat ? std::string(1, '\0') : "";
    all += "\x03" + category + thread + time(2 * i) + '\x01' + '\0' + "a";
    all += "\x04" + thread + time(2 * i + 1);
  }
  return all;
}

// How many records a thread has after its work was decoded once.
std::uint64_t decoded(EventReader& reader, bool cancelled) {
  TimelineBuilder builder;
  reader.scan();
  const std::vector<std::uint32_t> active = reader.take_scanned();
  EXPECT_EQ(active.size(), 1u);
  ThreadLoad& thread = *reader.threads().at(0);
  thread.attach(builder.slices(builder.thread(builder.process("1"), "1")), *builder.strings());
  const std::atomic<bool> flag{cancelled};
  reader.decode(0, flag);
  return thread.records;
}

TEST(EventReaderTest, DecodesNothingMoreOnceCancelled) {
  const std::string flat = header(1) + events(true);
  const std::string body = events(false);
  const std::string buffers = header(3) + raw(static_cast<std::uint32_t>(body.size())) +
                              raw<std::uint32_t>(1) + raw<std::uint32_t>(1) +
                              raw<std::uint64_t>(0) + body;
  for (const std::string& text : {flat, buffers}) {
    const Input input = Input::from_memory("x", bytes_of(text));
    const Result<SpallFile> file = read_header(input);
    ASSERT_TRUE(file);
    const DoubleClock doubles(1);
    const TickClock ticks(1, 0);
    for (const bool cancelled : {false, true}) {
      const std::unique_ptr<EventReader> reader =
          file->flat != nullptr
              ? make_flat_reader(*file->flat, input, doubles, 4 << 20)
              : make_buffer_reader(*file->buffers, input, file->header_bytes, ticks, 4 << 20, 1);
      EXPECT_EQ(decoded(*reader, cancelled), cancelled ? 0u : 40'000u) << file->version();
    }
  }
}

}  // namespace
}  // namespace cinderscope::spall
