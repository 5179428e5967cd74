#include "formats/qubership/collector/collector_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/qubership/found_files.h"

namespace cinderscope::qubership {
namespace {

constexpr std::byte kAccepted{0x00}, kCannotAccept{0xff}, kGzipFirst{0x1f};
constexpr std::uint32_t kMostSequence = 999'999;
// What a file is counted as beyond its content, so that a limit on bytes is one on files too.
constexpr std::uint64_t kFileBytes = 4096;
// Unpacked bytes that are taken in one turn, and packed bytes between two looks at that: of them
// come at most some 64 KiB.
constexpr std::uint64_t kTurnBytes = 256 << 10;
constexpr std::size_t kPackedPieceBytes = 64;

// The product answers so: these streams are never to be rolled.
bool is_whole(Stream stream) {
  return stream == Stream::dictionary || stream == Stream::pos_dictionary ||
         stream == Stream::params;
}

}  // namespace

void CollectorSession::refuse(std::string reason) {
  if (state_ != State::open) return;
  state_ = State::refused;
  reason_ = std::move(reason);
}

void CollectorSession::refuse_with(std::byte answer, std::string reason,
                                   std::vector<std::byte>& answers) {
  answers.push_back(answer);
  refuse(std::move(reason));
}

bool CollectorSession::is_refused(std::string_view name_space) const {
  return std::ranges::find(rules_.refused_namespaces, name_space) !=
         rules_.refused_namespaces.end();
}

bool CollectorSession::spend(std::uint64_t bytes) {
  received_bytes_ += bytes;
  totals_.received_bytes += bytes;
  const auto above = [](std::uint64_t value, std::uint64_t most) {
    return most != 0 && value > most;
  };
  return !above(received_bytes_, rules_.most_session_bytes) &&
         !above(totals_.received_bytes, rules_.most_total_bytes);
}

void CollectorSession::receive(std::span<const std::byte> bytes, std::vector<std::byte>& answers) {
  if (bytes.empty() || state_ != State::open) return;
  if (!std::exchange(began_, true) && bytes.front() == kGzipFirst) {
    const auto take = [this](std::span<const std::byte> part) {
      unpacked_bytes_ += part.size();
      take_plain(part, *answers_);
      return state_ == State::open;
    };
    unpacker_ = std::make_unique<Unpacker>(take, 1);
  }
  if (!unpacker_) {
    take_plain(bytes, answers);
    return;
  }
  packed_.assign(bytes.begin(), bytes.end());
  packed_at_ = 0;
  go_on(answers);
}

void CollectorSession::go_on(std::vector<std::byte>& answers) {
  answers_ = &answers;
  unpacked_bytes_ = 0;
  while (has_more() && unpacked_bytes_ < kTurnBytes && unpacker_->damage().by_code().empty()) {
    const auto left = std::span(packed_).subspan(packed_at_);
    const auto piece = left.first(std::min(left.size(), kPackedPieceBytes));
    packed_at_ += piece.size();
    unpacker_->feed(piece);
  }
  answers_ = nullptr;
  if (!unpacker_->damage().by_code().empty()) {
    refuse_with(kCannotAccept, unpacker_->damage().by_code().begin()->second.text, answers);
  }
}

void CollectorSession::take_plain(std::span<const std::byte> bytes,
                                  std::vector<std::byte>& answers) {
  if (!incomplete_.empty()) {
    incomplete_.insert(incomplete_.end(), bytes.begin(), bytes.end());
    bytes = incomplete_;
  }
  std::uint64_t done_bytes = 0;
  while (state_ == State::open && done_bytes < bytes.size()) {
    WireCursor in(bytes, done_bytes);
    const CommandFault fault = read_command(in, command_);
    if (fault == CommandFault::incomplete) break;
    if (fault == CommandFault::unknown) {
      refuse_with(kCannotAccept,
                  fmt::format("command {:02x} is not known", static_cast<unsigned>(command_.kind)),
                  answers);
    } else if (fault == CommandFault::long_field) {
      refuse_with(kCannotAccept, "a field is longer than 1024 bytes", answers);
    } else if (!spend(in.at() - done_bytes)) {
      refuse_with(kCannotAccept, "too many bytes came", answers);
    } else {
      ++commands_;
      take(command_, answers);
    }
    if (state_ == State::refused) reason_ += fmt::format(" (byte {})", command_at_);
    command_at_ += in.at() - done_bytes;
    done_bytes = in.at();
  }
  std::vector<std::byte> rest;
  if (state_ == State::open && done_bytes < bytes.size()) {
    const auto left = bytes.subspan(static_cast<std::size_t>(done_bytes));
    rest.assign(left.begin(), left.end());
  }
  incomplete_ = std::move(rest);
}

void CollectorSession::take(const AgentCommand& command, std::vector<std::byte>& answers) {
  switch (command.kind) {
    case Command::version:
    case Command::version_v2:
      greet(command, answers);
      break;
    case Command::init_stream:
    case Command::init_stream_v2:
      open_stream(command, answers);
      break;
    case Command::data:
      take_data(command, answers);
      break;
    case Command::flush:
      // What an agent has flushed is on disk once it is told so.
      write_out();
      answers.push_back(state_ == State::open ? kAccepted : kCannotAccept);
      break;
    case Command::close:
      state_ = State::closed;
      break;
    case Command::keep_alive:
    case Command::command_result:
      break;
    case Command::ack:
      refuse_with(kCannotAccept, "an answer came where a command belongs", answers);
  }
}

void CollectorSession::greet(const AgentCommand& command, std::vector<std::byte>& answers) {
  if (greeting_ != Greeting::none) {
    refuse_with(kCannotAccept, "a second handshake came", answers);
    return;
  }
  if (command.kind == Command::version) {
    greeting_ = Greeting::old;
    facts_.server_version = kProtocolV1;
    append_answer(answers, kProtocolV1);
    return;
  }
  greeting_ = Greeting::v2;
  facts_ = {.client_version = command.version,
            .pod = command.pod,
            .service = command.service,
            .name_space = command.name_space};
  if (is_refused(facts_.name_space)) {
    append_answer(answers, kRefusedProtocol);
    refuse(fmt::format("namespace \"{}\" is on the list of refused ones", facts_.name_space));
    return;
  }
  facts_.server_version = rules_.protocol;
  append_answer(answers, rules_.protocol);
}

void CollectorSession::open_stream(const AgentCommand& command, std::vector<std::byte>& answers) {
  const auto refused = [&](std::string reason) {
    append_answer(answers, StreamAnswer{});
    refuse(std::move(reason));
  };
  const bool old = command.kind == Command::init_stream;
  if (greeting_ != (old ? Greeting::old : Greeting::v2)) {
    return refused("a stream was opened without its handshake");
  }
  if (old && facts_.pod.empty()) {
    facts_.pod = command.pod;
    facts_.service = command.service;
    facts_.name_space = command.name_space;
  }
  if (is_refused(facts_.name_space)) {
    return refused(
        fmt::format("namespace \"{}\" is on the list of refused ones", facts_.name_space));
  }
  const auto stream = stream_named(command.stream);
  if (!stream) return refused("a stream of an unknown name was opened");
  if (command.sequence > kMostSequence) {
    return refused(fmt::format("{} {} was opened", command.stream, command.sequence));
  }
  if (!spend(kFileBytes)) return refused("too many bytes came");
  if (!dump_) dump_.emplace(rules_.folder, facts_, now_ms_);
  const auto file = dump_->open(command.stream, command.sequence + 1, command.reset);
  if (!file) return refused(file.error().text);

  // A new handle of the same stream replaces the old one, which is dead from here on.
  auto opened = std::ranges::find(opened_, command.stream, &Opened::name);
  if (opened == opened_.end()) {
    opened = opened_.insert(opened_.end(), Opened{.name = command.stream});
  }
  StreamAnswer answer{.sequence = command.sequence};
  ++handles_;
  for (std::size_t i = 0; i < sizeof handles_; ++i) {
    answer.handle[answer.handle.size() - 1 - i] = static_cast<std::byte>(handles_ >> 8 * i & 0xff);
  }
  if (!is_whole(*stream)) {
    answer.most_ms = rules_.rotate_ms;
    answer.most_bytes = rules_.rotate_bytes;
  }
  opened->handle = answer.handle;
  opened->file = *file;
  append_answer(answers, answer);
}

void CollectorSession::take_data(const AgentCommand& command, std::vector<std::byte>& answers) {
  const auto opened = std::ranges::find(opened_, command.handle, &Opened::handle);
  if (opened == opened_.end()) {
    return refuse_with(kCannotAccept, "data came for a stream that is not open", answers);
  }
  const Status kept = dump_->append(opened->file, command.data);
  if (!kept) return refuse_with(kCannotAccept, kept.error().text, answers);
  answers.push_back(kAccepted);
}

void CollectorSession::write_out() {
  if (!dump_) return;
  const Status written = dump_->write_out();
  if (!written) refuse(written.error().text);
}

}  // namespace cinderscope::qubership
