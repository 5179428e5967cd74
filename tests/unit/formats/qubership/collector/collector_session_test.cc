// A collector's answers to agents, good and bad, and what it leaves on the disk.
#include "formats/qubership/collector/collector_session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "formats/all_formats.h"
#include "tests/support/agent_player.h"
#include "tests/support/dump.h"
#include "tests/support/load.h"
#include "tests/support/source_dir.h"
#include "tests/support/temp_dir.h"

namespace cinderscope::qubership {
namespace {

namespace fs = std::filesystem;
using State = CollectorSession::State;
using Bytes = std::vector<std::byte>;

constexpr std::int64_t kNowMs = 1'700'000'000'000;
const std::string kGolden = test::source_dir() + "/tests/golden/qubership/";

Bytes bytes_of_number(std::uint64_t value, int size) {
  Bytes out;
  for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<std::byte>(value >> shift & 0xff));
  }
  return out;
}

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes field(std::string_view text) {
  return bytes_of_number(text.size(), 4) + bytes_of(text);
}

Bytes greeting(std::string_view pod = "node_1700000000123", std::string_view name_space = "ns") {
  return bytes_of_number(0x14, 1) + bytes_of_number(100705, 8) + field(pod) + field("svc") +
         field(name_space);
}

Bytes opening(std::string_view stream, std::uint32_t sequence = 0, bool reset = false) {
  return bytes_of_number(0x15, 1) + field(stream) + bytes_of_number(sequence, 4) +
         bytes_of_number(reset ? 1 : 0, 4);
}

Bytes data(const Bytes& handle, std::string_view text) {
  return bytes_of_number(0x02, 1) + handle + field(text);
}

std::size_t files_below(const fs::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    count += entry.is_regular_file() ? 1 : 0;
  }
  return count;
}

class CollectorSessionTest : public testing::Test {
 protected:
  CollectorSessionTest() { rules_.folder = folder_.path(); }

  CollectorSession session() { return {rules_, totals_, kNowMs}; }
  static Bytes say(CollectorSession& session, const Bytes& bytes) {
    Bytes answers;
    session.receive(bytes, answers);
    return answers;
  }
  // Opens the stream and returns its handle.
  static Bytes open(CollectorSession& session, std::string_view stream, std::uint32_t sequence = 0,
                    bool reset = false) {
    Bytes answer = say(session, opening(stream, sequence, reset));
    answer.resize(std::min(answer.size(), sizeof(Handle)));
    return answer;
  }
  std::string dump_of(const fs::path& path) {
    Result<Input> input = Input::from_path(path);
    const LoadedTrace trace = load_trace(*format_named("qubership"), std::move(*input));
    std::string text = dump(trace.timeline, trace.source.get());
    // Diagnostics begin with the name of a file, which a session and a folder call differently.
    for (std::size_t at = 0; (at = text.find("\ndiagnostic ", at)) != std::string::npos; ++at) {
      const std::size_t name = text.find(": ", at);
      text.erase(name, text.find(": ", name + 1) - name);
    }
    for (const auto& [key, value] : trace.source->details()) text += key + "=" + value + "\n";
    return text;
  }

  TempDir folder_;
  CollectorRules rules_;
  CollectorTotals totals_;
};

class ReplayTest : public CollectorSessionTest, public testing::WithParamInterface<const char*> {};

TEST_P(ReplayTest, LeavesADumpThatSaysWhatTheSessionSays) {
  const Bytes recorded = read_file(kGolden + GetParam());
  rules_.protocol =
      std::string_view(GetParam()).find("v3") != std::string_view::npos ? kProtocolV3 : kProtocolV2;
  for (const std::size_t piece : {std::size_t{1}, std::size_t{100'000}}) {
    CollectorSession session = this->session();
    const PlayedSession played = play_session(recorded, [&](std::span<const std::byte> said) {
      Bytes answers;
      for (std::size_t at = 0; at < said.size(); at += piece) {
        session.receive(said.subspan(at, std::min(piece, said.size() - at)), answers);
      }
      return answers;
    });
    EXPECT_EQ(played.problem, "");
    EXPECT_EQ(session.reason(), "");
    session.write_out();
    EXPECT_EQ(dump_of(session.folder()), dump_of(kGolden + GetParam())) << piece;
  }
}

TEST_P(ReplayTest, TakesAnAgentThatPacksWhatItSends) {
  rules_.protocol =
      std::string_view(GetParam()).find("v3") != std::string_view::npos ? kProtocolV3 : kProtocolV2;
  CollectorSession plain = session();
  const PlayedSession played =
      play_session(read_file(kGolden + GetParam()), [&](std::span<const std::byte> said) {
        Bytes answers;
        plain.receive(said, answers);
        return answers;
      });
  plain.write_out();
  CollectorSession packed = session();
  for (const std::byte b : gzipped(played.sent)) say(packed, {b});
  packed.write_out();
  EXPECT_EQ(packed.reason(), "");
  EXPECT_EQ(packed.received_bytes(), plain.received_bytes());
  EXPECT_EQ(dump_of(packed.folder()), dump_of(plain.folder()));
}

INSTANTIATE_TEST_SUITE_P(Sessions, ReplayTest,
                         testing::Values("session_v2/input.protocol", "session_v3/input.protocol"));

TEST_F(CollectorSessionTest, WritesInTheLayoutOfAnAgent) {
  CollectorSession session = this->session();
  EXPECT_EQ(say(session, greeting()), bytes_of_number(kProtocolV2, 8));
  const Bytes trace = open(session, "trace", 2);
  EXPECT_EQ(session.folder(), fs::path());  // nothing before there is something to write
  EXPECT_EQ(say(session, data(trace, "abc")), bytes_of_number(0, 1));
  EXPECT_EQ(fs::file_size(session.folder() / "trace/000003.gz"), 0u);  // space was set aside
  EXPECT_EQ(say(session, bytes_of_number(0x11, 1)), bytes_of_number(0, 1));
  EXPECT_TRUE(fs::exists(session.folder() / "trace/000003.gz"));
  EXPECT_EQ(session.folder().filename(), "1700000000123");
  EXPECT_EQ(session.folder().parent_path().parent_path().parent_path().parent_path().filename(),
            "node");
}

TEST_F(CollectorSessionTest, AsksForRotationOfWhatMayBeRolled) {
  CollectorSession session = this->session();
  say(session, greeting());
  const Bytes answers[] = {say(session, opening("calls", 7)), say(session, opening("params"))};
  WireCursor calls(answers[0]), params(answers[1]);
  const StreamAnswer rolled = read_stream_answer(calls), whole = read_stream_answer(params);
  EXPECT_EQ(rolled.sequence, 7u);
  EXPECT_EQ(rolled.most_ms, rules_.rotate_ms);
  EXPECT_EQ(rolled.most_bytes, rules_.rotate_bytes);
  EXPECT_EQ(whole.most_ms, 0);
  EXPECT_EQ(whole.most_bytes, 0);
}

TEST_F(CollectorSessionTest, AcknowledgesEachPieceAndEachFlush) {
  CollectorSession session = this->session();
  say(session, greeting());
  const Bytes xml = open(session, "xml");
  const Bytes flush = bytes_of_number(0x11, 1), alive = bytes_of_number(0x12, 1);
  const Bytes result = bytes_of_number(0x13, 1) + xml + bytes_of_number(0x4b, 1);
  EXPECT_EQ(say(session, data(xml, "a") + data(xml, "") + alive + flush + result),
            bytes_of_number(0, 3));
  EXPECT_EQ(session.state(), State::open);
  EXPECT_EQ(say(session, bytes_of_number(0x04, 1)), Bytes());
  EXPECT_EQ(session.state(), State::closed);
}

TEST_F(CollectorSessionTest, GreetsAnOldAgentAndLearnsItsNameFromAStream) {
  CollectorSession session = this->session();
  EXPECT_EQ(say(session, bytes_of_number(0x08, 1)), bytes_of_number(kProtocolV1, 8));
  Bytes handle =
      say(session, bytes_of_number(0x01, 1) + field("ns") + field("svc") +
                       field("old_1700000000001") + field("trace") + bytes_of_number(0, 8));
  ASSERT_EQ(handle.size(), 36u);
  handle.resize(16);
  say(session, data(handle, "abc"));
  session.write_out();
  EXPECT_EQ(session.folder().filename(), "1700000000001");
}

TEST_F(CollectorSessionTest, MakesAFolderOfItsOwnForEachStartOfOneAgent) {
  std::vector<std::string> names;
  for (int i = 0; i < 3; ++i) {
    CollectorSession session = this->session();
    say(session, greeting());
    say(session, data(open(session, "trace"), "abc"));
    session.write_out();
    names.push_back(session.folder().filename());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"1700000000123", "1700000000124", "1700000000125"}));
}

TEST_F(CollectorSessionTest, NeverLeavesItsFolder) {
  for (const char* pod :
       {"../../../etc_1", "..", "/etc/passwd_1700000000000", "a\nb_-5", "", "_"}) {
    CollectorSession session = this->session();
    say(session, greeting(pod));
    say(session, data(open(session, "trace"), "abc"));
    session.write_out();
    EXPECT_TRUE(
        session.folder().lexically_normal().string().starts_with((folder_.path() / "").string()))
        << session.folder();
    EXPECT_EQ(session.folder().lexically_normal(), session.folder());
  }
}

TEST_F(CollectorSessionTest, TurnsRefusedNamespacesAway) {
  rules_.refused_namespaces = {"test", "ns"};
  CollectorSession session = this->session();
  EXPECT_EQ(say(session, greeting()), bytes_of_number(kRefusedProtocol, 8));
  EXPECT_EQ(session.state(), State::refused);
  EXPECT_NE(session.reason().find("\"ns\""), std::string::npos);
  CollectorSession other = this->session();
  EXPECT_EQ(say(other, greeting("p_1", "n")), bytes_of_number(kProtocolV2, 8));
}

TEST_F(CollectorSessionTest, RefusesWhatIsMalformedAndKeepsWhatCameBefore) {
  const Bytes start = greeting();
  struct Case {
    Bytes bytes;
    std::string_view reason;
  };
  const std::vector<Case> cases = {
      {bytes_of_number(0x55, 1), "command 55 is not known"},
      {bytes_of_number(0x00, 1), "an answer came"},
      {greeting(), "a second handshake"},
      {bytes_of_number(0x02, 1) + Bytes(16) + bytes_of_number(5000, 4), "longer than 1024"},
      {bytes_of_number(0x15, 1) + bytes_of_number(0xffffffff, 4), "longer than 1024"},
      {data(Bytes(16), "x"), "not open"},
      {opening("nonsense"), "unknown name"},
      {opening("../trace"), "unknown name"},
      {opening("trace", 0xffffffff), "trace 4294967295 was opened"},
      {opening("trace", 0), "opened twice"},
  };
  for (const Case& one : cases) {
    CollectorSession session = this->session();
    say(session, start);
    say(session, data(open(session, "trace"), "abc"));
    say(session, one.bytes);
    EXPECT_EQ(session.state(), State::refused) << one.reason;
    EXPECT_NE(session.reason().find(one.reason), std::string::npos) << session.reason();
    session.write_out();
    EXPECT_TRUE(fs::exists(session.folder() / "trace/000001.gz"));
  }
}

TEST_F(CollectorSessionTest, RefusesAStreamBeforeItsHandshake) {
  CollectorSession session = this->session();
  EXPECT_EQ(say(session, opening("trace")), Bytes(16));
  EXPECT_EQ(session.state(), State::refused);
  EXPECT_EQ(files_below(folder_.path()), 0u);
}

TEST_F(CollectorSessionTest, RefusesABlockThatIsLongerThanAnyMayBe) {
  CollectorSession session = this->session();
  say(session, greeting());
  const Bytes params = open(session, "params");
  EXPECT_EQ(say(session, data(params, std::string_view("\0\0\x7f\xff", 4))),
            bytes_of_number(0xff, 1));
  EXPECT_NE(session.reason().find("a block of params"), std::string::npos);
}

TEST_F(CollectorSessionTest, HandlesOfAReplacedStreamAreDead) {
  CollectorSession session = this->session();
  say(session, greeting());
  const Bytes old = open(session, "sql"), next = open(session, "sql", 1);
  EXPECT_NE(old, next);
  EXPECT_EQ(say(session, data(next, "x")), bytes_of_number(0, 1));
  EXPECT_EQ(say(session, data(old, "x")), bytes_of_number(0xff, 1));
}

TEST_F(CollectorSessionTest, AStreamThatIsResetBeginsItsFileAnew) {
  CollectorSession session = this->session();
  say(session, greeting());
  say(session, data(open(session, "dictionary"), std::string_view("\0\0\0\x4xxxx", 8)));
  say(session, data(open(session, "dictionary", 0, true), std::string_view("\0\0\0\x2yy", 6)));
  session.write_out();
  Result<Input> file = Input::from_path(session.folder() / "dictionary/000001.gz");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->pin_all()->text(), "yy");
}

TEST_F(CollectorSessionTest, LimitsTheBytesOfOneAndOfAllTogether) {
  rules_.most_session_bytes = 10'000;
  rules_.most_total_bytes = 15'000;
  const std::string text(1000, 'x');
  std::vector<int> taken;
  for (int i = 0; i < 3; ++i) {
    CollectorSession session = this->session();
    say(session, greeting());
    const Bytes xml = open(session, "xml");
    int count = 0;
    while (session.state() == State::open && say(session, data(xml, text)) == Bytes(1)) ++count;
    EXPECT_NE(session.reason().find("too many bytes"), std::string::npos);
    taken.push_back(count);
  }
  EXPECT_EQ(taken, (std::vector<int>{5, 0, 0}));
}

TEST_F(CollectorSessionTest, AFileThatCannotBeWrittenEndsTheSession) {
  rules_.folder = folder_.write("no_folder", std::string_view("x"));
  CollectorSession session = this->session();
  say(session, greeting());
  // Nothing is taken that may not find its place later.
  EXPECT_EQ(say(session, data(open(session, "trace"), "abc")), bytes_of_number(0xff, 1));
  EXPECT_NE(session.reason().find("cannot be written"), std::string::npos);
}

TEST_F(CollectorSessionTest, ReadsAsMuchAsWasWrittenWhenItIsKilled) {
  const Bytes recorded = read_file(kGolden + "session_v2/input.protocol");
  CollectorSession session = this->session();
  std::string last;
  play_session(recorded, [&](std::span<const std::byte> said) {
    Bytes answers;
    session.receive(said, answers);
    session.write_out();
    // At this place the process is gone: the folder as it is has to open.
    if (!session.folder().empty() && fs::exists(session.folder() / "trace/000001.gz")) {
      last = dump_of(session.folder());
      EXPECT_EQ(last.find("truncated_compression"), std::string::npos);
    }
    return answers;
  });
  EXPECT_EQ(last, dump_of(kGolden + "session_v2/input.protocol"));
}

TEST_F(CollectorSessionTest, SurvivesEveryFlippedByte) {
  CollectorSession whole = session();
  const PlayedSession played = play_session(read_file(kGolden + "session_v2/input.protocol"),
                                            [&](std::span<const std::byte> said) {
                                              Bytes answers;
                                              whole.receive(said, answers);
                                              return answers;
                                            });
  for (std::size_t i = 0; i < played.sent.size(); ++i) {
    Bytes bytes = played.sent;
    bytes[i] ^= std::byte{0xff};
    CollectorSession session(rules_, totals_, kNowMs + static_cast<std::int64_t>(i) * 1000);
    say(session, bytes);
    EXPECT_EQ(session.state() == State::refused, !session.reason().empty());
  }
}

TEST_F(CollectorSessionTest, PackedCommandsTakeMoreThanOneTurn) {
  CollectorSession session = this->session();
  const Bytes keep_alives(20'000'000, std::byte{0x12});
  Bytes packed = gzipped(greeting() + keep_alives);
  ASSERT_LT(packed.size(), 64u * 1024);  // what comes at a time
  Bytes answers;
  session.receive(packed, answers);
  EXPECT_TRUE(session.has_more());
  std::uint64_t before = 0, turns = 0;
  while (session.has_more()) {
    EXPECT_LT(session.commands() - before, 1'000'000u);
    before = session.commands();
    session.go_on(answers);
    ++turns;
  }
  EXPECT_GT(turns, 10u);
  EXPECT_EQ(session.state(), State::open);
  EXPECT_EQ(session.commands(), 1 + keep_alives.size());
}

TEST_F(CollectorSessionTest, WhatIsPackedTwiceIsRefused) {
  CollectorSession session = this->session();
  say(session, gzipped(gzipped(greeting())));
  EXPECT_EQ(session.state(), State::refused);
}

TEST_F(CollectorSessionTest, FollowsNoLinksInItsFolder) {
  const TempDir elsewhere;
  CollectorSession session = this->session();
  say(session, greeting());
  const fs::path server = folder_.path() / safe_file_name(session.facts().server());
  fs::create_directory_symlink(elsewhere.path(), server);
  say(session, data(open(session, "trace"), std::string_view("\0\0\0\x4xxxx", 8)));
  session.write_out();
  EXPECT_EQ(session.state(), State::refused);
  EXPECT_EQ(files_below(elsewhere.path()), 0u);
}

TEST(SafeFileNameTest, IsNoOption) {
  EXPECT_EQ(safe_file_name("-rf"), "_rf");
  EXPECT_EQ(safe_file_name("a-b.c"), "a-b.c");
  EXPECT_EQ(safe_file_name(".."), "_.");
}

}  // namespace
}  // namespace cinderscope::qubership
