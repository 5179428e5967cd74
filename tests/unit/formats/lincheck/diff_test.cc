// Traces that are the difference of two recordings.
#include <gtest/gtest.h>

#include <set>

#include "formats/lincheck/packed_trace.h"
#include "formats/lincheck/text/diff_names.h"
#include "ingest/model/slice_chunk.h"
#include "tests/support/lincheck_files.h"
#include "tests/support/lincheck_script.h"
#include "tests/support/zip_file.h"

namespace cinderscope {
namespace {

std::vector<std::byte> diff_data() {
  LincheckScript s;
  s.call(s.method("app.A", "run"), -1, 0);
  s.call(s.method("app.A", "gone"), -1, 1);
  s.end_call();
  s.call(s.method("app.A", "come"), -1, 2);
  s.write_variable(s.variable("x"), -1, 2);
  s.end_call();
  s.call(s.method("app.A", "old"), -1, 3);
  s.end_call();
  s.call(s.method("app.A", "young"), -1, 4);
  s.end_call();
  s.end_call();
  return s.finish();
}

std::string big_endian(std::initializer_list<std::int32_t> numbers) {
  JavaBytes out;
  for (const std::int32_t number : numbers) out.i32(number);
  return {reinterpret_cast<const char*>(out.all().data()), out.size()};
}

LoadedTrace load(std::uint64_t lazy_above_bytes = 1 << 20) {
  return load_trace(lincheck_format(), Input::from_memory("diff", diff_data()),
                    {.jobs = 1, .window_bytes = 64, .lazy_above_bytes = lazy_above_bytes});
}

std::uint32_t hue_of(const Timeline& timeline, std::string_view name) {
  const auto id = timeline.strings->find(name);
  return id ? hue_from_hash(timeline.strings->hash(*id)) : UINT32_MAX;
}

TEST(LincheckDiffTest, NamesAndColoursTellWhatWasAddedRemovedAndKept) {
  const LoadedTrace trace = load();
  const std::uint32_t kept = hue_of(trace.timeline, "app.A.run"),
                      removed = hue_of(trace.timeline, "- app.A.gone"),
                      added = hue_of(trace.timeline, "+ app.A.come"),
                      edited = hue_of(trace.timeline, "! app.A.old");
  EXPECT_EQ(std::set({kept, removed, added, edited, UINT32_MAX}).size(), 5u);
  EXPECT_EQ(hue_of(trace.timeline, "! app.A.young"), edited);
  EXPECT_EQ(hue_of(trace.timeline, "+ read x"), UINT32_MAX);
  EXPECT_EQ(hue_of(trace.timeline, "+ write x"), added);
}

TEST(LincheckDiffTest, TheLegendHasTheColoursOfTheBoxes) {
  const LoadedTrace trace = load();
  ASSERT_EQ(trace.timeline.legend.size(), 4u);
  EXPECT_EQ(trace.timeline.legend[0].text, "added");
  EXPECT_EQ(hue_from_hash(trace.timeline.legend[0].colour), hue_of(trace.timeline, "+ app.A.come"));
  EXPECT_TRUE(load_trace(lincheck_format(), Input::from_memory("t", LincheckScript().finish()))
                  .timeline.legend.empty());
}

TEST(LincheckDiffTest, IsKnownForOneWhereOnlyPartOfItWasRead) {
  const LoadedTrace trace = load(0);
  EXPECT_EQ(trace.timeline.legend.size(), 4u);
  EXPECT_EQ(hue_of(trace.timeline, "app.A.run"), hue_of(load().timeline, "app.A.run"));
}

TEST(LincheckDiffTest, DetailsSayTheStatusAndWhatTheMapsSay) {
  const std::vector<std::byte> data = diff_data();
  const std::string text(reinterpret_cast<const char*>(data.data()), data.size());
  const auto zip = zip_of({{"info.txt", "Class: A\n"},
                           {"trace.trace", text},
                           {".diff", ""},
                           {"diff.threadmap", big_endian({1, 0, 3, -1})},
                           {"diff.idmap", big_endian({-1, -1, 7, 8, 9, -1})}});
  const LoadedTrace trace = load_trace(lincheck_format(), Input::from_memory("d", zip));
  ASSERT_EQ(trace.timeline.notes.size(), 2u);
  EXPECT_EQ(trace.timeline.notes[1].key, "Thread 0");
  EXPECT_EQ(trace.timeline.notes[1].text, "of the left recording 3, of the right one none");
  const SliceBlock& root = trace.timeline.tracks[0].root();
  const auto facts_of = [&](const Slice& slice) {
    std::string all;
    for (const auto& [key, value] : trace.source->describe(slice.record, slice.end_record).facts) {
      all += key + "=" + value + ";";
    }
    return all;
  };
  const std::string run = facts_of(root.rows[0].slice(0)), gone = facts_of(root.rows[1].slice(0)),
                    come = facts_of(root.rows[1].slice(1));
  EXPECT_NE(run.find("diff=unchanged;event on the left=7;event on the right=8;"), std::string::npos)
      << run;
  EXPECT_NE(gone.find("diff=removed;event on the left=9;"), std::string::npos) << gone;
  EXPECT_EQ(gone.find("event on the right"), std::string::npos) << gone;
  EXPECT_NE(come.find("diff=added;"), std::string::npos) << come;
  EXPECT_EQ(come.find("event on"), std::string::npos) << come;
}

TEST(LincheckDiffTest, MapsThatEndEarlySayNothing) {
  const std::string map = big_endian({5, 6});
  const auto bytes = bytes_of(map);
  EXPECT_EQ(lincheck::diff_event(bytes, 0).right, 6);
  for (const std::int32_t event : {1, -1, INT32_MAX}) {
    EXPECT_EQ(lincheck::diff_event(bytes, event).left, -1) << event;
  }
  EXPECT_EQ(lincheck::diff_event({}, 0).left, -1);
}

TEST(LincheckDiffTest, TheTreeMarksItsLines) {
  EXPECT_EQ(tree_of(Input::from_memory("d", diff_data()), {}),
            "# Thread 1\n  A.run()\n  - gone()\n  + come()\n    + x = 7\n  ! old()\n  ! young()\n");
}

}  // namespace
}  // namespace cinderscope
