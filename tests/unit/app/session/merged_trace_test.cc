#include "app/session/merged_trace.h"

#include <gtest/gtest.h>

#include <fstream>

#include "app/questions/name_totals.h"
#include "app/session/open_source.h"
#include "render/layout/track_list.h"
#include "tests/support/lincheck_files.h"
#include "tests/support/lincheck_script.h"
#include "tests/support/qubership_agent.h"
#include "tests/support/synthetic_source.h"
#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

// Two calls of one thread, in a process that has the same id in every file.
std::string trace_text(const std::string& prefix, std::int64_t begin_us) {
  return R"([{"ph":"X","pid":1,"tid":1,"ts":)" + std::to_string(begin_us) +
         R"(,"dur":100,"name":")" + prefix + R"( outer","args":{"file":")" + prefix +
         R"("}},{"ph":"X","pid":1,"tid":1,"ts":)" + std::to_string(begin_us + 10) +
         R"(,"dur":50,"name":"shared","args":{"in":")" + prefix + R"("}}])";
}

class MergedTraceTest : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    const std::string path = (folder_.path() / name).string();
    std::ofstream(path) << text;
    return path;
  }
  std::string missing() const { return (folder_.path() / "missing.json").string(); }

  // An instance of SyntheticSource takes the place of the path "lazy".
  Result<Timeline> read(std::vector<MergeFile> files) {
    source_ = std::make_unique<MergedSource>(
        std::move(files), [this](const std::string& path, LoadContext& control) {
          if (path == "lazy") return Result<OpenedSource>(OpenedSource{lazy_, nullptr});
          return open_source(path, control);
        });
    return read_timeline(*source_, control_);
  }
  Slice slice(const Timeline& timeline, std::size_t thread, std::size_t row) const {
    return timeline.tracks[index(timeline.threads[thread].track)].root().rows[row].slice(0);
  }
  std::string args(const Slice& slice) const {
    return source_->describe(slice.record, slice.end_record).args.raw;
  }

  TempDir folder_;
  LoadContext control_;
  std::shared_ptr<SyntheticSource> lazy_ = std::make_shared<SyntheticSource>(SyntheticTree{});
  std::unique_ptr<MergedSource> source_;
};

TEST_F(MergedTraceTest, CallsOfEachFileAreDescribedByTheirFile) {
  const std::string a = file("a.json", trace_text("a", 0));
  const std::string b = file("b.json", "\n" + trace_text("b", 20));
  const Result<Timeline> both = read({{a, {}}, {b, {}}});
  ASSERT_TRUE(both);
  EXPECT_EQ(args(slice(*both, 0, 0)), R"({"file":"a"})");
  EXPECT_EQ(args(slice(*both, 0, 1)), R"({"in":"a"})");
  EXPECT_EQ(args(slice(*both, 1, 0)), R"({"file":"b"})");
  EXPECT_EQ(args(slice(*both, 1, 1)), R"({"in":"b"})");
  EXPECT_EQ(slice(*both, 1, 0).begin_ns, 20'000);
}

TEST_F(MergedTraceTest, TotalsByNameAreTheSumsOfTheFiles) {
  const std::string a = file("a.json", trace_text("a", 0)), b = file("b.json", trace_text("b", 5));
  const Result<Timeline> both = read({{a, {}}, {b, {}}});
  ASSERT_TRUE(both);
  for (const NameTotal& total : name_totals(*both)) {
    const bool shared = both->text(total.name) == "shared";
    EXPECT_EQ(total.count, shared ? 2 : 1);
    EXPECT_EQ(total.total_ns, 100'000);
  }
  EXPECT_EQ(name_totals(*both).size(), 3);
}

TEST_F(MergedTraceTest, StartsAreAlignedOrMovedByAnOffset) {
  const std::string a = file("a.json", trace_text("a", 1'000)),
                    b = file("b.json", trace_text("b", 5));
  Result<Timeline> both = read({{a, {}}, {b, {Alignment::starts, 0}}});
  ASSERT_TRUE(both);
  EXPECT_EQ(slice(*both, 1, 0).begin_ns, 1'000'000);
  EXPECT_EQ(alignment_text(source_->merged_files(), both->axis),
            "b.json: starts aligned, moved by +995 µs");
  both = read({{a, {}}, {b, {Alignment::by_offset, -2'000}}});
  ASSERT_TRUE(both);
  EXPECT_EQ(slice(*both, 1, 0).begin_ns, 3'000);
  EXPECT_EQ(args(slice(*both, 1, 0)), R"({"file":"b"})");
}

TEST_F(MergedTraceTest, ClocksWithNothingInCommonAreSaid) {
  const std::string a = file("a.json", trace_text("a", 0));
  const std::string b = file("b.json", trace_text("b", 1'762'684'073'000'000));
  ASSERT_TRUE(read({{a, {}}, {b, {}}}));
  EXPECT_EQ(clock_warning(source_->merged_files(), TimeAxis::nanoseconds),
            "b.json begins 55 years after a.json ends: no time is common to them.");
  ASSERT_TRUE(read({{b, {}}, {a, {}}}));
  EXPECT_EQ(clock_warning(source_->merged_files(), TimeAxis::nanoseconds),
            "a.json ends 55 years before b.json begins: no time is common to them.");
  ASSERT_TRUE(read({{b, {}}, {a, {Alignment::starts, 0}}}));
  EXPECT_EQ(clock_warning(source_->merged_files(), TimeAxis::nanoseconds), "");
}

TEST_F(MergedTraceTest, RecordingsOfDifferentDaysNeedNoWarning) {
  const std::string a = file("a.json", trace_text("a", 1'762'684'073'000'000));
  const std::string b = file("b.json", trace_text("b", 1'762'884'073'000'000));
  ASSERT_TRUE(read({{a, {}}, {b, {}}}));
  EXPECT_EQ(clock_warning(source_->merged_files(), TimeAxis::nanoseconds), "");
}

TEST_F(MergedTraceTest, AFileThatFailsLeavesTheOthers) {
  const std::string a = file("a.json", trace_text("a", 0));
  const std::string bad = file("bad.txt", "no trace at all");
  const Result<Timeline> left = read({{missing(), {}}, {a, {}}, {bad, {}}});
  ASSERT_TRUE(left);
  EXPECT_EQ(left->slice_count, 2);
  EXPECT_EQ(args(slice(*left, 0, 0)), R"({"file":"a"})");
  EXPECT_TRUE(left->diagnostics.by_code()
                  .at("left_out (1)")
                  .text.starts_with("missing.json was left out: "));
  EXPECT_TRUE(left->diagnostics.by_code().contains("left_out (3)"));
  EXPECT_FALSE(left->diagnostics.by_code().contains("left_out (2)"));
}

TEST_F(MergedTraceTest, NoFileAtAllIsTheErrorOfTheFirst) {
  const Result<Timeline> none = read({{missing(), {}}, {missing(), {}}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::cannot_read);
}

// Files that share a timeline are opened anew: nothing is kept for reading on.
TEST_F(MergedTraceTest, NothingIsKeptOfRecordingsThatGrow) {
  QubershipAgent agent(5, QubershipAgent::Packing::plain);
  agent.run(200);
  agent.write(folder_.path() / "recording", false);
  const std::vector<MergeFile> files = {{(folder_.path() / "recording").string(), {}},
                                        {file("a.json", trace_text("a", 0)), {}}};
  const auto kept_bytes = [&](bool reads_on) {
    MergedSource source(files, open_source);
    LoadContext context({.jobs = 1, .reads_on = reads_on});
    EXPECT_TRUE(read_timeline(source, context));
    return source.size().own_bytes;
  };
  EXPECT_GT(kept_bytes(false), 0u);
  EXPECT_EQ(kept_bytes(true), kept_bytes(false));
}

TEST_F(MergedTraceTest, TheSameFileTwiceIsToldApart) {
  const std::string a = file("a.json", trace_text("a", 0));
  const Result<Timeline> twice = read({{a, {}}, {a, {Alignment::by_offset, 7}}});
  ASSERT_TRUE(twice);
  EXPECT_EQ(process_label(*twice, ProcessId{0}), "Process 1 (a)");
  EXPECT_EQ(process_label(*twice, ProcessId{1}), "Process 1 (a (2))");
  EXPECT_EQ(args(slice(*twice, 1, 1)), R"({"in":"a"})");
}

TEST_F(MergedTraceTest, EveryFileHasAHeadlineOfItsOwn) {
  const std::string whole = file("run-a.json", trace_text("a", 0));
  const std::string cut = file("run-b.json", trace_text("b", 0).substr(0, 150));
  ASSERT_TRUE(read({{whole, {}}, {cut, {}}, {missing(), {}}}));
  const std::vector<MergedFile>& files = source_->merged_files();
  EXPECT_EQ(files[0].name, "run-a");
  EXPECT_EQ(files[0].headline, "All 2 slices were read.");
  EXPECT_EQ(files[1].headline, "The file ends early: 1 slice before the cut is shown.");
  EXPECT_EQ(files[2].headline, "");
  EXPECT_NE(files[2].problem, "");
}

class OrdinalSource final : public TraceSource {
 public:
  Status load(TimelineBuilder& out, LoadContext&) override {
    out.use_axis(TimeAxis::events);
    out.slices(out.thread(out.process("1"), "1")).complete(0, 1, kEmptyString, 0);
    return ok();
  }
  const Input& input() const override { return input_; }

 private:
  Input input_ = Input::from_memory("ordinals", {});
};

TEST_F(MergedTraceTest, ATraceWithoutAClockIsLeftOut) {
  const std::string a = file("a.json", trace_text("a", 0));
  MergedSource source({{a, {}}, {"ordinals", {}}},
                      [](const std::string& path, LoadContext& control) -> Result<OpenedSource> {
                        if (path != "ordinals") return open_source(path, control);
                        return OpenedSource{std::make_shared<OrdinalSource>(), nullptr};
                      });
  const Result<Timeline> left = read_timeline(source, control_);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->slice_count, 2);
  EXPECT_NE(source.merged_files()[1].problem.find("no clock"), std::string::npos);
}

TEST_F(MergedTraceTest, LazyChildrenComeFromTheirOwnFileAndAreMoved) {
  const std::string a = file("a.json", trace_text("a", 0));
  const Result<Timeline> both = read({{a, {}}, {"lazy", {Alignment::by_offset, 5}}});
  ASSERT_TRUE(both);
  const Track& track = both->tracks[index(both->threads[1].track)];
  ASSERT_EQ(track.root().deferred.size(), 3);
  const DeferredChildren& second = track.root().deferred[1];
  EXPECT_EQ(second.source, 1);
  const Result<LoadedChildren> children = source_->load_children(
      {.source_key = second.source_key, .first = 0, .count = 10, .source = second.source},
      *both->strings, control_);
  ASSERT_TRUE(children);
  ASSERT_EQ(lazy_->queries().size(), 1);
  EXPECT_EQ(lazy_->queries()[0].source_key, second.source_key);
  EXPECT_EQ(children->rows[0].begin_ns(3), SyntheticTree{}.root_ns + 3'000'000 + 5);
  EXPECT_EQ(args(children->rows[0].slice(3)), R"({"level":1,"ordinal":1003})");
  EXPECT_EQ(children->deferred[0].source, 1);
}

// Of which the names of all calls can be read, or not.
class IndexedSource : public SyntheticSource, private NameIndexReader {
 public:
  explicit IndexedSource(std::shared_ptr<const NameIndex> index)
      : SyntheticSource(SyntheticTree{}), index_(std::move(index)) {}
  const NameIndexReader* name_index() const override { return this; }

 private:
  std::shared_ptr<const NameIndex> read(const std::shared_ptr<StringPool>&, unsigned,
                                        const std::atomic<bool>&,
                                        const SurveyProgress&) const override {
    return index_;
  }
  std::shared_ptr<const NameIndex> index_;
};

class OneName : public NameIndex {
 public:
  explicit OneName(std::uint64_t slices) { names_ = {{.name = kEmptyString, .slices = slices}}; }
  std::optional<Place> nearest(const NameSet&, std::int64_t, int,
                               const std::atomic<bool>&) const override {
    return std::nullopt;
  }
  bool each(const Wanted&, const std::atomic<bool>&, const CallSink&,
            const SurveyProgress&) const override {
    return true;
  }
};

TEST_F(MergedTraceTest, CallsOfTheOthersAreCountedWhereOneFileCannotBeSurveyed) {
  const auto survey = [&](std::vector<std::shared_ptr<const NameIndex>> each) {
    std::vector<MergeFile> files;
    for (std::size_t i = 0; i < each.size(); ++i) files.push_back({std::to_string(i), {}});
    MergedSource source(std::move(files), [&](const std::string& path, LoadContext&) {
      const auto one = std::make_shared<IndexedSource>(each[std::stoul(path)]);
      return Result<OpenedSource>(OpenedSource{one, nullptr});
    });
    const Result<Timeline> timeline = read_timeline(source, control_);
    EXPECT_TRUE(timeline);
    const std::atomic<bool> go_on = false;
    return source.name_index()->read(timeline->strings, 1, go_on, [](double) {});
  };
  const auto four = std::make_shared<OneName>(4), five = std::make_shared<OneName>(5);
  const auto all = survey({four, five});
  ASSERT_NE(all, nullptr);
  EXPECT_TRUE(all->whole());
  EXPECT_EQ(all->names().at(0).slices, 9u);
  const auto some = survey({four, nullptr, five});
  ASSERT_NE(some, nullptr);
  EXPECT_FALSE(some->whole());
  EXPECT_EQ(some->names().at(0).slices, 9u);
  EXPECT_EQ(survey({nullptr, nullptr}), nullptr);
}

TEST_F(MergedTraceTest, ProgressCountsAllFiles) {
  const std::string a = file("a.json", trace_text("a", 0)), b = file("b.json", trace_text("b", 5));
  ASSERT_TRUE(read({{a, {}}, {b, {}}}));
  EXPECT_EQ(control_.total_bytes(), source_->size().inflated_bytes);
  EXPECT_EQ(control_.done_bytes(), control_.total_bytes());
}

TEST_F(MergedTraceTest, ACancelledLoadSaysSo) {
  const std::string a = file("a.json", trace_text("a", 0));
  control_.cancel();
  const Result<Timeline> none = read({{a, {}}, {a, {}}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::cancelled);
}

TEST_F(MergedTraceTest, CallsThatStayOnDiskKeepTheNamesOfTheirFile) {
  const auto recorded = [&](const std::string& name, std::int32_t first_event) {
    LincheckScript script;
    script.next_event(first_event);
    script.call(script.method(name, "run"));
    const std::int32_t step = script.method(name, "step"), x = script.variable(name + "X");
    for (int i = 0; i < 30; ++i) {
      script.call(step);
      script.write_variable(x);
      script.end_call();
    }
    script.end_call();
    const auto path = folder_.path() / (name + ".trace");
    write_bytes(path, script.finish());
    return MergeFile{path.string(), {}};
  };
  // Of one recording: its event numbers go on in the second file.
  MergedSource source({recorded("one", 1), recorded("two", 500)}, open_source);
  LoadContext control({.jobs = 1, .window_bytes = 4096, .lazy_above_bytes = 0});
  const Result<Timeline> timeline = read_timeline(source, control);
  ASSERT_TRUE(timeline) << timeline.error().text;
  ASSERT_EQ(timeline->tracks.size(), 2u);
  for (const std::size_t i : {0u, 1u}) {
    const std::string name = i == 0 ? "one" : "two";
    const SliceBlock& root = timeline->tracks[i].root();
    ASSERT_EQ(root.deferred.size(), 1u) << name;
    const auto children = source.load_children(
        {.source_key = root.deferred[0].source_key, .source = root.deferred[0].source},
        *timeline->strings, control);
    ASSERT_TRUE(children) << children.error().text;
    ASSERT_EQ(children->rows.size(), 1u);
    const Slice call = children->rows[0].slice(0),
                instant = children->nested_instants.at(1).slice(0);
    EXPECT_EQ(timeline->text(call.name), name + ".step");
    EXPECT_EQ(timeline->text(instant.name), "write " + name + "X");
    EXPECT_EQ(call.begin_ns, i == 0 ? 2 : 501);
    EXPECT_EQ(instant.begin_ns, call.begin_ns + 1);
    EXPECT_EQ(source.describe(instant.record, instant.end_record).line, name + "X = 7");
  }
}

// Two runs of a program with a method each of the same number.
class MergedNamesTest : public MergedTraceTest {
 protected:
  std::string flow_file(const std::string& run, const char* names = nullptr) {
    std::filesystem::create_directory(folder_.path() / run);
    if (names != nullptr) file(run + "/ids.properties", names);
    return file(run + "/thread-1.flow", "\x80\x81\x01");  // 0 { 1 { } }
  }
  static std::string called_in(const Timeline& timeline) {
    std::string text;
    for (const Thread& thread : timeline.threads) {
      for (const SliceRow& row : timeline.tracks[index(thread.track)].root().rows) {
        text += std::string(timeline.text(row.name(0))) + " ";
      }
      text += "| ";
    }
    return text;
  }
  Result<Timeline> renamed(const Timeline& timeline, const std::string& path) {
    return cinderscope::renamed(timeline, *source_->symbols(), {.mapping_path = path}, control_);
  }
  std::string key_of(const Timeline& timeline, std::size_t thread) const {
    const Slice shown = slice(timeline, thread, 0);
    for (const auto& [name, value] : source_->describe(shown.record, shown.end_record).facts) {
      if (name == "Key") return value;
    }
    return {};
  }
};

TEST_F(MergedNamesTest, AMappingOfOneFolderNamesTheCallsOfThatFolder) {
  const std::string a = flow_file("a"), b = flow_file("b");
  const Result<Timeline> both = read({{a, {}}, {b, {}}});
  ASSERT_TRUE(both);
  ASSERT_NE(source_->symbols(), nullptr);
  EXPECT_EQ(alignment_text(source_->merged_files(), both->axis),
            "thread-1.flow (2): each thread counts its own events");
  EXPECT_EQ(called_in(*both), "method #0 method #1 | method #0 method #1 | ");
  const std::string names = file("b/ids.properties", "b.B#c()V=0\nb.B#d()V=1\n");
  const Result<Timeline> named = renamed(*both, names);
  ASSERT_TRUE(named) << named.error().text;
  EXPECT_EQ(called_in(*named), "method #0 method #1 | b.B#c()V b.B#d()V | ");
  EXPECT_EQ(named->strings->label(slice(*named, 1, 0).name), "B.c");
  EXPECT_EQ(key_of(*named, 0), "");
  EXPECT_EQ(key_of(*named, 1), "b.B#c()V");
  EXPECT_TRUE(named->diagnostics.by_code().contains("unknown_name"));
  EXPECT_FALSE(named->diagnostics.by_code().contains("unknown_name (2)"));
  EXPECT_EQ(called_in(*both), "method #0 method #1 | method #0 method #1 | ");  // as it was
}

TEST_F(MergedNamesTest, AForeignMappingNamesTheCallsThatHaveNoNames) {
  const std::string a = flow_file("a", "a.A#x()V=0\n"), b = flow_file("b");
  const Result<Timeline> both = read({{a, {}}, {b, {}}});
  ASSERT_TRUE(both);
  const std::string names = file("foreign", "f.F#y()V=0\nf.F#z()V=1\n");
  const Result<Timeline> named = renamed(*both, names);
  ASSERT_TRUE(named);
  EXPECT_EQ(called_in(*named), "a.A#x()V method #1 | f.F#y()V f.F#z()V | ");
  // And read anew with it.
  control_.use_names({.mapping_path = names});
  const Result<Timeline> again = read({{a, {}}, {b, {}}});
  ASSERT_TRUE(again);
  EXPECT_EQ(called_in(*again), called_in(*named));
}

TEST_F(MergedNamesTest, AForeignMappingNamesAllWhereAllHaveNames) {
  const std::string a = flow_file("a", "a.A#x()V=0\n"), b = flow_file("b", "b.B#x()V=0\n");
  const Result<Timeline> both = read({{a, {}}, {b, {}}});
  ASSERT_TRUE(both);
  const Result<Timeline> named = renamed(*both, file("foreign", "f.F#y()V=0\nf.F#z()V=1\n"));
  ASSERT_TRUE(named);
  EXPECT_EQ(called_in(*named), "f.F#y()V f.F#z()V | f.F#y()V f.F#z()V | ");
  const Result<Timeline> back = renamed(*named, "");  // what lies beside each of them
  ASSERT_TRUE(back);
  EXPECT_EQ(called_in(*back), "a.A#x()V method #1 | b.B#x()V method #1 | ");
}

TEST_F(MergedNamesTest, CallsOfOtherFormatsKeepTheirNames) {
  LincheckScript script;
  script.call(script.method("L", "run"));
  script.write_variable(script.variable("x"));
  script.end_call();
  const std::string lincheck = (folder_.path() / "l.trace").string();
  write_bytes(lincheck, script.finish());
  const Result<Timeline> both = read({{lincheck, {}}, {flow_file("a"), {}}});
  ASSERT_TRUE(both) << both.error().text;
  ASSERT_EQ(called_in(*both), "L.run | method #0 method #1 | ");
  const Result<Timeline> named = renamed(*both, file("foreign", "f.F#y()V=0\nf.F#z()V=1\n"));
  ASSERT_TRUE(named) << named.error().text;
  EXPECT_EQ(called_in(*named), "L.run | f.F#y()V f.F#z()V | ");
  const SliceBlock& root = named->tracks[0].root();
  EXPECT_EQ(named->text(root.nested_instants.at(1).name(0)), "write x");
}

TEST_F(MergedNamesTest, AMappingThatCannotBeReadChangesNothing) {
  const std::string a = flow_file("a"), b = flow_file("b", "b.B#c()V=0\n");
  const Result<Timeline> both = read({{a, {}}, {b, {}}});
  ASSERT_TRUE(both);
  EXPECT_FALSE(renamed(*both, "missing"));
  EXPECT_EQ(key_of(*both, 1), "b.B#c()V");
}

}  // namespace
}  // namespace cinderscope
