// Events that belong together by a key: async operations, objects, flows.
#include "formats/google_json/event_reader.h"
#include "formats/google_json/event_time.h"
#include "formats/google_json/events/operation_id.h"
#include "formats/google_json/google_json_wire.h"
#include "formats/google_json/text/key_table.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"

namespace cinderscope::google_json {

namespace {

// Of the old phases, with one begin and one end for each id.
constexpr bool is_old(char phase) {
  return phase == 'S' || phase == 'T' || phase == 'p' || phase == 'F';
}

bool is_set(std::string_view flag) {
  return !flag.empty() && flag != "false" && flag != "null" && flag != "0";
}

}  // namespace

// What async and flow events have in common; key_ begins with the category.
KeyedEvent EventReader::begin_keyed(const RawEvent& event, char phase, std::int64_t time_ns,
                                    EventBatch& batch) {
  KeyedEvent keyed;
  keyed.time_ns = time_ns;
  keyed.record = offset_ + event.begin;
  keyed.phase = phase;
  keyed.name = name_of(event, batch);
  keyed.thread = thread_of(event, batch);
  key_.clear();
  if (event.has(Key::category)) key_ += json::text_of(text(event, Key::category));
  key_ += '\n';
  return keyed;
}

void EventReader::read_async(const RawEvent& event, char phase, std::int64_t time_ns,
                             EventBatch& batch) {
  KeyedEvent keyed = begin_keyed(event, phase, time_ns, batch);
  const std::string_view args = text(event, Key::args);
  keyed.has_args = args.size() > 2;
  if (phase == 'T' || phase == 'p') keyed.step = name_from(json::member(args, "step"), batch);
  const std::string_view pid = batch.threads[keyed.thread].pid;
  const bool global = append_operation_id(key_, text(event, Key::id), text(event, Key::id2),
                                          text(event, Key::scope), pid);
  if (event.has(Key::cut)) {
    const std::string_view cut = text(event, Key::cut);
    DecimalTime begin, duration;
    if (time_of(json::member(cut, "ts"), begin) && time_of(json::member(cut, "dur"), duration)) {
      batch.cut_async.push_back({keyed.record, begin.ns, saturating_sum(begin.ns, duration.ns)});
    }
  }
  if (is_old(phase)) {
    key_ += "\nold";
    if (!global) key_.append("\n").append(pid);
  }
  add_keyed(keyed, batch);
}

// Their key ends in a line with the id as it is shown; categories do not tell objects apart.
void EventReader::read_object(const RawEvent& event, char phase, std::int64_t time_ns,
                              EventBatch& batch) {
  KeyedEvent keyed = begin_keyed(event, phase, time_ns, batch);
  keyed.has_args = text(event, Key::args).size() > 2;
  const std::string_view id = text(event, Key::id), id2 = text(event, Key::id2);
  const std::string& pid = batch.threads[keyed.thread].pid;
  key_.clear();
  const bool global = append_operation_id(key_, id, id2, text(event, Key::scope), pid);
  if (!global) key_.append("\n").append(pid);
  const std::string_view of_process = json::member(id2, "local");
  key_ += '\n';
  key_ += id_text(global ? json::member(id2, "global") : of_process.empty() ? id : of_process);
  add_keyed(keyed, batch);
}

void EventReader::read_flow(const RawEvent& event, char phase, std::int64_t time_ns,
                            EventBatch& batch) {
  KeyedEvent keyed = begin_keyed(event, phase, time_ns, batch);
  keyed.starts = phase == 's';
  keyed.ends = phase == 'f';
  // An end goes to the next slice, unless it says otherwise; Chrome's own input events never do.
  keyed.to_next_slice = keyed.ends && json::text_of(text(event, Key::binding_point)) != "e" &&
                        key_.find("input") == std::string::npos &&
                        key_.find("ipc.flow") == std::string::npos;
  append_operation_id(key_, text(event, Key::id), text(event, Key::id2), text(event, Key::scope),
                      batch.threads[keyed.thread].pid);
  add_keyed(keyed, batch);
}

// A slice with a bind_id and flow_out, flow_in or both.
void EventReader::read_bound(const RawEvent& event, const SliceEvent& slice, EventBatch& batch) {
  KeyedEvent keyed;
  keyed.starts = is_set(text(event, Key::flow_out));
  keyed.ends = is_set(text(event, Key::flow_in));
  if (!keyed.starts && !keyed.ends) return;
  keyed.time_ns = slice.begin_ns;
  keyed.record = slice.record;
  keyed.phase = slice.phase;
  keyed.name = slice.name;
  keyed.thread = slice.thread;
  key_ = id_text(text(event, Key::bind_id));
  add_keyed(keyed, batch);
}

// Takes key_ as the event's key.
void EventReader::add_keyed(KeyedEvent keyed, EventBatch& batch) {
  keyed.key_begin = static_cast<std::uint32_t>(batch.keys.size());
  batch.keys += key_;
  keyed.key_end = static_cast<std::uint32_t>(batch.keys.size());
  keyed.key_hash = hash_bytes(key_);
  batch.keyed.push_back(keyed);
}

}  // namespace cinderscope::google_json
