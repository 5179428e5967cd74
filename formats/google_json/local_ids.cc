#include "formats/google_json/local_ids.h"

#include <utility>

#include "formats/google_json/events/operation_id.h"
#include "formats/google_json/text/key_table.h"

namespace cinderscope::google_json {

void LocalIds::start(EventBatch& batch) {
  recent_threads_.fill({});
  threads_.clear();
  name_slots_.assign(1024, {});
  batch.names.reserve(512);
}

std::uint32_t LocalIds::thread(std::string_view pid_text, std::string_view tid_text,
                               EventBatch& batch) {
  if (pid_text.size() > IdText::kMost || tid_text.size() > IdText::kMost) {
    return thread_by_text(id_text(pid_text), id_text(tid_text), batch);
  }
  const IdText pid(pid_text);
  const IdText tid(tid_text);
  const std::uint64_t mix =
      ((pid.first + pid.last) * 31 + tid.first + tid.last * 31) * 0x9e3779b97f4a7c15u;
  ThreadSlot& slot = recent_threads_[mix >> 56];
  if (slot.thread == kNone || slot.pid != pid || slot.tid != tid) {
    slot = {pid, tid, thread_by_text(id_text(pid_text), id_text(tid_text), batch)};
  }
  return slot.thread;
}

std::uint32_t LocalIds::thread_by_text(std::string pid, std::string tid, EventBatch& batch) {
  const auto [at, fresh] =
      threads_.try_emplace(pid + '\n' + tid, static_cast<std::uint32_t>(batch.threads.size()));
  if (fresh) batch.threads.push_back({std::move(pid), std::move(tid)});
  return at->second;
}

std::uint32_t LocalIds::name(std::string_view name, std::uint64_t offset, bool quoted,
                             EventBatch& batch) {
  if (name.empty()) return kNone;
  const std::size_t mask = name_slots_.size() - 1;
  if (name.size() <= kShortText) {
    const std::uint32_t hash = short_text_hash(name.data(), name.size());
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      NameSlot& known = name_slots_[at];
      if (known.name == kNone) return new_name(known, name, offset, hash, quoted, batch);
      if (known.hash == hash && known.text.size() == name.size() &&
          short_texts_equal(known.text.data(), name.data(), name.size())) {
        return known.name;
      }
    }
  }
  const std::uint32_t hash = hash_bytes(name);
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    NameSlot& known = name_slots_[at];
    if (known.name == kNone) return new_name(known, name, offset, hash, quoted, batch);
    if (known.hash == hash && known.text == name) return known.name;
  }
}

std::uint32_t LocalIds::new_name(NameSlot& slot, std::string_view name, std::uint64_t offset,
                                 std::uint32_t hash, bool quoted, EventBatch& batch) {
  const auto local = static_cast<std::uint32_t>(batch.names.size());
  slot = {name, hash, local};
  const bool escaped = quoted && name.find('\\') != std::string_view::npos;
  batch.names.push_back({{offset, offset + name.size()}, escaped});
  if (batch.names.size() * 2 > name_slots_.size()) grow_names(batch);
  return local;
}

void LocalIds::grow_names(EventBatch& batch) {
  std::vector<NameSlot> old(name_slots_.size() * 4);
  old.swap(name_slots_);
  const std::size_t mask = name_slots_.size() - 1;
  for (const NameSlot& slot : old) {
    if (slot.name == kNone) continue;
    std::size_t at = slot.hash & mask;
    while (name_slots_[at].name != kNone) at = (at + 1) & mask;
    name_slots_[at] = slot;
  }
  batch.names.reserve(name_slots_.size() / 2);
}

}  // namespace cinderscope::google_json
