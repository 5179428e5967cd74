#include "formats/thread_stream/symbols/symbol_worker.h"

#include <utility>

#include "ingest/base/json/json_value.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/os/child_process.h"
#include "ingest/os/memory.h"

namespace cinderscope::thread_stream {
namespace {

constexpr std::uint64_t kMostAnswerBytes = 1ull << 30;
constexpr std::uint64_t kMostSeconds = 300;
constexpr std::uint64_t kFilesBytes = 16ull << 30;  // of addresses, for files that are mapped

void write_texts(JsonWriter& out, std::string_view key, const std::vector<std::string>& texts) {
  out.key(key).begin_array();
  for (const std::string& text : texts) out.text(text);
  out.end_array();
}

std::vector<std::string> texts_of(const JsonValue& in, std::string_view key) {
  std::vector<std::string> texts;
  if (const JsonValue* array = in.find(key)) {
    for (const JsonMember& each : array->members) texts.push_back(each.value.text);
  }
  return texts;
}

std::string text_of(const JsonValue& in, std::string_view key) {
  const JsonValue* value = in.find(key);
  return value == nullptr ? std::string() : value->text;
}

template <class Number>
Number number_of(const JsonValue& in, std::string_view key) {
  const JsonValue* value = in.find(key);
  return value == nullptr ? Number{} : value->number<Number>().value_or(Number{});
}

bool is_true(const JsonValue& in, std::string_view key) {
  const JsonValue* value = in.find(key);
  return value != nullptr && value->boolean().value_or(false);
}

std::string text_of(const SymbolQuestion& question) {
  JsonWriter out;
  out.begin_object();
  write_texts(out, "files", question.files);
  out.field("build_id", question.build_id);
  write_texts(out, "debug_folders", question.debug_folders);
  out.field("debuginfod", question.debuginfod).key("addresses").begin_array();
  for (const std::uint64_t address : question.addresses) out.number(address);
  out.end_array().end_object();
  return out.str();
}

SymbolQuestion question_of(const JsonValue& in) {
  SymbolQuestion question{.files = texts_of(in, "files"),
                          .build_id = text_of(in, "build_id"),
                          .debug_folders = texts_of(in, "debug_folders"),
                          .debuginfod = is_true(in, "debuginfod")};
  if (const JsonValue* addresses = in.find("addresses")) {
    for (const JsonMember& each : addresses->members) {
      question.addresses.push_back(each.value.number<std::uint64_t>().value_or(0));
    }
  }
  return question;
}

std::string text_of(const SymbolAnswer& answer) {
  JsonWriter out;
  out.begin_object().field("file", answer.file).field("debug_info", answer.debug_info);
  out.field("reason", answer.reason).key("symbols").begin_array();
  for (const FoundSymbol& symbol : answer.symbols) {
    out.begin_object().field("address", symbol.address).key("frames").begin_array();
    for (const FoundFrame& frame : symbol.frames) {
      out.begin_object().field("function", frame.function).field("file", frame.file);
      out.field("line", frame.line).end_object();
    }
    out.end_array().end_object();
  }
  out.end_array().end_object();
  return out.str();
}

SymbolAnswer answer_of(const JsonValue& in) {
  SymbolAnswer answer{.file = text_of(in, "file"),
                      .debug_info = is_true(in, "debug_info"),
                      .reason = text_of(in, "reason")};
  const JsonValue* symbols = in.find("symbols");
  if (symbols == nullptr) return answer;
  for (const JsonMember& each : symbols->members) {
    FoundSymbol& symbol = answer.symbols.emplace_back();
    symbol.address = number_of<std::uint64_t>(each.value, "address");
    const JsonValue* frames = each.value.find("frames");
    if (frames == nullptr) continue;
    for (const JsonMember& frame : frames->members) {
      symbol.frames.push_back({text_of(frame.value, "function"), text_of(frame.value, "file"),
                               number_of<std::uint32_t>(frame.value, "line")});
    }
  }
  return answer;
}

}  // namespace

Result<SymbolAnswer> ask_symbol_worker(const SymbolQuestion& question,
                                       const std::atomic<bool>& cancelled) {
  ChildOptions options{
      .program = own_program(), .arguments = {"cinderscope", kSymbolWorker}, .helper = true};
  if (!question.debuginfod) options.environment.emplace_back("DEBUGINFOD_URLS");
  Result<ChildProcess> worker = ChildProcess::start(options);
  if (!worker) return SymbolAnswer{.reason = worker.error().text};
  const Result<std::string> text = worker->talk(text_of(question), kMostAnswerBytes, cancelled);
  if (!text && text.error().code == ErrorCode::cancelled) return text.error();
  const SymbolAnswer failed{.reason = "reading its file failed"};
  if (!text || worker->wait() != 0) return failed;
  const Result<JsonValue> answer = read_json(*text);
  return answer ? answer_of(*answer) : failed;
}

std::string answer_of_symbol_worker(const std::string& question) {
  const Result<JsonValue> read = read_json(question);
  return text_of(read ? read_symbols(question_of(*read)) : SymbolAnswer{.reason = "no question"});
}

void limit_symbol_worker() {
  limit_this_process(free_memory_bytes() / 2 + kFilesBytes, kMostSeconds);
}

}  // namespace cinderscope::thread_stream
