#include "app/store/query_history.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "app/places/trace_identity.h"
#include "app/store/state_files.h"
#include "ingest/base/json/json_value.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/path_text.h"
#include "ingest/os/folder.h"

namespace cinderscope {
namespace {

constexpr std::size_t kMostFileBytes = 128 << 20, kMostTextBytes = 1'000'000;
constexpr std::size_t kMostRunBytes = 32 << 20;  // of all texts together

std::string digest_of(std::string_view text) {
  return sha256_hex(std::as_bytes(std::span(text)));
}

}  // namespace

void QueryHistory::remember(std::string digest) {
  std::erase(known_, digest);
  known_.push_back(std::move(digest));
}

void QueryHistory::bound() {
  std::size_t bytes = 0;
  for (const std::string& text : runs_) bytes += text.size();
  while (!runs_.empty() && (runs_.size() > kMostRuns || bytes > kMostRunBytes)) {
    bytes -= runs_.front().size();
    runs_.pop_front();
  }
  while (known_.size() > kMostKnown) known_.pop_front();
}

void QueryHistory::add(std::string_view text) {
  if (text.size() > kMostTextBytes) return;
  std::erase(runs_, text);
  runs_.emplace_back(text);
  remember(digest_of(text));
  bound();
}

bool QueryHistory::knows(std::string_view text) const {
  return std::ranges::find(known_, digest_of(text)) != known_.end();
}

void QueryHistory::merge(const QueryHistory& older) {
  QueryHistory all = older;
  for (const std::string& text : runs_) {
    std::erase(all.runs_, text);
    all.runs_.push_back(text);
  }
  for (const std::string& digest : known_) all.remember(digest);
  all.bound();
  *this = std::move(all);
}

std::string QueryHistory::json() const {
  JsonWriter out;
  out.begin_object().key("runs").begin_array();
  for (const std::string& text : runs_) out.text(text);
  out.end_array().key("known").begin_array();
  for (const std::string& digest : known_) out.text(digest);
  out.end_array().end_object();
  return out.str();
}

QueryHistory QueryHistory::from_json(std::string_view text) {
  QueryHistory history;
  const Result<JsonValue> read = read_json(text, kMostRuns + kMostKnown + 100);
  if (!read) return history;
  const auto strings = [&](std::string_view key, std::size_t most, std::deque<std::string>& to) {
    const JsonValue* list = read->find(key);
    if (list == nullptr || list->kind != JsonKind::array) return;
    for (const JsonMember& member : list->members) {
      if (member.value.kind == JsonKind::string && member.value.text.size() <= most) {
        to.push_back(member.value.text);
      }
    }
  };
  strings("runs", kMostTextBytes, history.runs_);
  strings("known", 64, history.known_);
  history.bound();
  return history;
}

QueryHistory read_query_history(const std::string& path) {
  const Result<std::string> text = read_small_file(path, kMostFileBytes);
  return text ? QueryHistory::from_json(*text) : QueryHistory();
}

Status add_to_query_history(const std::string& path, std::string_view text) {
  const FolderLock lock(path_of(path).parent_path());
  QueryHistory history = read_query_history(path);
  history.add(text);
  return write_small_file(path, history.json());
}

}  // namespace cinderscope
