#include "formats/google_json/events/metadata_events.h"

#include "ingest/base/json/raw_json.h"

namespace cinderscope::google_json {
namespace {

constexpr std::size_t kNoteBytes = 64u << 10;

}  // namespace

void MetadataEvents::add(std::string_view name, ThreadId thread, std::string_view args,
                         RecordOffset record) {
  Thread& thread_facts = out_->thread_facts(thread);
  Process& process = out_->process_facts(thread_facts.process);
  const auto bad = [&] {
    out_->diagnostics().count(diagnostic::kBadMetadata, static_cast<std::int64_t>(record));
  };
  const auto set_text = [&](StringId& where, std::string_view key) {
    const std::string_view value = json::member(args, key);
    if (value.empty() || value == "null" || json::is_object(value) || json::is_array(value))
      return bad();
    where = out_->intern(json::text_of(value));
  };
  const auto set_number = [&](double& where) {
    const std::optional<double> number = json::number_of(json::member(args, "sort_index"));
    if (!number) return bad();
    where = *number;
  };
  if (name == "process_name") return set_text(process.name, "name");
  if (name == "thread_name") return set_text(thread_facts.name, "name");
  if (name == "process_labels") return set_text(process.labels, "labels");
  if (name == "process_sort_index") return set_number(process.sort_index);
  if (name == "thread_sort_index") return set_number(thread_facts.sort_index);
  if (name == "stackFrames") return frames_->add(json::member(args, "stackFrames"));
  const auto [at, fresh] = notes_.try_emplace(std::string(name));
  if (fresh) note_order_.emplace_back(name);
  at->second = std::string(args.substr(0, kNoteBytes));
}

void MetadataEvents::finish() {
  for (const std::string& name : note_order_) out_->note(name, notes_[name]);
  notes_.clear();
  note_order_.clear();
}

}  // namespace cinderscope::google_json
