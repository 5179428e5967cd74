// What is known of a trace only once all of it was read: names of threads, calls.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/qubership/stored_value.h"
#include "formats/qubership/text/call_title.h"
#include "formats/qubership/text/wire_text.h"
#include "formats/qubership/trace_load.h"
#include "ingest/build/passing_memory.h"

namespace cinderscope::qubership {
void TraceLoad::finish() {
  recording_.blocks.shrink_to_fit();
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    ThreadState& thread = threads_[i];
    if (!thread.open.empty()) thread.slices->reach(last_ns_);  // still running at the end
    release(thread.open);
    if (thread.name_tag == kNoRecord) continue;
    set_name(thread, name_in_tag(thread.name_tag));
    if (!thread.name.empty()) number_of_name_.try_emplace(thread.name, i);
  }
  add_calls();
}

void TraceLoad::set_name(ThreadState& thread, std::string name) {
  thread.name = std::move(name);
  out_.thread_facts(thread.id).name = out_.intern(thread.name);
}

std::string TraceLoad::name_in_tag(RecordOffset place) const {
  const StreamFile* file = recording_.store.file_at(place);
  if (file == nullptr) return {};
  const TraceEvent tag = event_at(recording_.store.bytes(*file), place - file->begin);
  if (tag.kind != EventKind::tag) return {};
  if (!tag.refers()) return utf8_of(tag.text, kMostNameUnits);
  const auto text = stored_value(recording_.store, tag.value_kind, tag.file, tag.offset);
  return text ? utf8_of(*text, kMostNameUnits) : std::string();
}

void TraceLoad::add_calls() {
  std::size_t next = 0;
  std::uint64_t without_tree = 0;
  CallRecord record;
  for (const StreamFile& file : recording_.store.files()) {
    if (file.stream != Stream::calls && file.stream != Stream::call_ranges) continue;
    std::vector<std::string> names;
    CallReader reader(recording_.store.bytes(file));
    while (next < calls_.calls().size() && reader.next(record)) {
      const ListedCall& call = calls_.calls()[next++];
      if (record.names_thread) names.push_back(utf8_of(record.thread_name, kMostNameUnits));
      const std::string name = reader.format() == 0 ? std::string()
                               : record.thread < names.size()
                                   ? names[record.thread]
                                   : fmt::format("unknown # {}", record.thread);
      const bool found = call.thread != kNoThreadNumber;
      ThreadState& thread = threads_[found ? call.thread : thread_named(name)];
      if (thread.name.empty() && !name.empty()) set_name(thread, name);
      const RecordOffset place = file.begin + record.at;
      if (call.root == kNoRecord) {
        ++without_tree;
      } else {
        recording_.roots.emplace_back(call.root, place);
      }
      add_call(record, thread, place);
    }
  }
  recording_.counts.calls = next;
  recording_.roots.shrink_to_fit();
  std::ranges::sort(recording_.roots, {}, &KnownRoot::root);
  std::ranges::sort(recording_.naming_records);
  out_.diagnostics().count(diagnostic::kMissingTree, kNoOffset, {}, without_tree);
}

void TraceLoad::add_call(const CallRecord& record, ThreadState& thread, RecordOffset place) {
  if (thread.calls == nullptr) {
    const std::string name = thread.name.empty() ? "calls" : "calls of " + thread.name;
    thread.calls = &out_.call_slices(thread.id, out_.intern(name));
  }
  TitleParts parts;
  for (const CallParameter& parameter : record.parameters) {
    const auto take = [&](const std::optional<std::uint32_t>& id, std::string& part) {
      if (id == parameter.id && part.empty() && !parameter.values.empty()) {
        part = utf8_of(parameter.values.front(), kMostNameUnits);
      }
    };
    take(ids_.title, parts.title);
    take(ids_.web_method, parts.method);
    take(ids_.web_url, parts.url);
    take(ids_.web_query, parts.query);
    take(ids_.web_host, parts.client);
    take(ids_.web_address, parts.client);
  }
  const std::string title = call_title(parts);
  thread.calls->complete(ns_of_ms(record.start_ms), ns_of_ms(record.duration_ms),
                         title.empty() ? method_name(record.method) : out_.intern(title), place);
}

}  // namespace cinderscope::qubership
