#include "formats/firefox/profile_load.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/firefox/category_colours.h"
#include "ingest/base/decimal_time.h"
#include "ingest/base/json/json_walk.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"
#include "ingest/build/profile/profile_diagnostics.h"

namespace cinderscope::firefox {
namespace {

constexpr DiagnosticKind kLostThread{
    "lost_thread", Severity::damage, "A thread is cut and was left out.", {}, true};
std::string or_dash(const std::string& id) {
  return id.empty() ? "-" : id;
}

std::vector<ProfileFacts::Range> library_ranges(std::string_view libraries, ProfileTexts& texts) {
  std::vector<ProfileFacts::Range> ranges;
  for (const std::string_view library : read_values(libraries)) {
    const Members facts(library);
    const std::int64_t begin = read_number(facts.get("start")), end = read_number(facts.get("end"));
    if (begin == kNoValue || end == kNoValue) continue;
    std::string name = json::text_of(facts.any({"debugName", "name", "path"}));
    name.erase(0, name.rfind('/') + 1);
    ranges.push_back({static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end),
                      texts.number_of(name)});
  }
  std::ranges::stable_sort(ranges, {}, &ProfileFacts::Range::begin);
  return ranges;
}

}  // namespace

bool ProfileLoad::goes_on(std::string_view at) {
  const bool inside = at.data() >= text_.data() && at.data() <= text_.data() + text_.size();
  const auto offset = inside ? static_cast<std::uint64_t>(at.data() - text_.data()) : 0;
  cancelled_ = cancelled_ || !context_->tick(*out_, offset);
  return !cancelled_;
}

void ProfileLoad::read_meta(const Members& meta) {
  schemas_ = meta.get("markerSchema");
  product_ = json::text_of(meta.get("product"));
  version_ = std::string(meta.any({"preprocessedProfileVersion", "version"}));
  is_size_ = json::text_of(Members(meta.get("sampleUnits")).get("time")) == "bytes";
  outer_start_ns_ = read_number(meta.get("startTime"), 6);
  std::vector<Category> categories;
  for (const std::string_view raw : read_values(meta.get("categories"))) {
    const Members category(raw);
    const std::string colour = json::text_of(category.get("color"));
    categories.push_back(
        {json::text_of(category.get("name")), colour == "transparent", colour_of_category(colour)});
  }
  calls_->set_categories(std::move(categories));
  for (const auto& [key, value] : meta.all()) {
    if (value.empty() || value == "null" || json::is_object(value) || json::is_array(value)) {
      continue;
    }
    const std::string text = json::text_of(value);
    if (!text.empty()) out_->note(json::text_of(key), text);
  }
}

Status ProfileLoad::load(std::string_view text, bool stream_cut) {
  text_ = text;
  Members profile(text);
  cut_ = profile.cut();
  if (profile.has("profile") && !profile.has("threads")) {
    text = profile.get("profile");  // as the developer tools wrapped it
    profile = Members(text);
    cut_ = cut_ || profile.cut();
  }
  const Members meta(profile.get("meta"));
  read_meta(meta);
  // The list of weights is known once all is read; counters are written before.
  const std::string& weight = context_->options().weight;
  by_time_ = weight != "samples" && weight != "1" && weight != "2" && weight != "tracing-ms" &&
             (weight != "bytes" || is_size_);
  json::JsonWalk first(profile.get("threads"));
  const bool any = json::is_array(profile.get("threads")) && first.enter('[') && first.next_item();
  // Without a version: a thread's columns, or its texts as a console copied them, are processed.
  const Members first_thread(any ? first.value() : std::string_view());
  const bool old_processed = first_thread.has("stringArray") || first_thread.has("funcTable") ||
                             json::is_object(first_thread.get("stringTable"));
  is_gecko_ = !meta.has("preprocessedProfileVersion") && !old_processed;
  if (old_processed && !meta.has("preprocessedProfileVersion")) version_ = "0";
  const bool whole = is_gecko_ ? read_gecko(text) : read_processed(profile);
  if (!whole) return Error{ErrorCode::cancelled, "Loading was cancelled."};
  std::vector<Weight> weights = {{is_size_ ? "bytes" : "time", is_size_ ? "bytes" : "nanoseconds"},
                                 {"samples", "samples"}};
  if (!weight_type_.empty() && weight_type_ != "samples" && !is_size_) {
    weights.push_back({weight_type_, weight_type_ == "tracing-ms" ? "nanoseconds" : weight_type_});
  }
  const std::size_t chosen = find_weight(weights, context_->options().weight).value_or(0);
  out_->count_samples(sample_count_);
  out_->count_records(sample_count_ + marker_count_);
  if (cut_ && !stream_cut) {
    out_->diagnostics().count(profile_diagnostic::kCutProfile,
                              static_cast<std::int64_t>(text_.size()));
  }
  if (sample_count_ == 0 && marker_count_ == 0 && counter_count_ == 0) {
    return Error{ErrorCode::damaged, "There are no samples and no markers in this profile.",
                 "A profile of the Firefox Profiler has threads with samples or markers."};
  }
  write(weights, chosen);
  return ok();
}

bool ProfileLoad::read_processed(const Members& profile) {
  ProfileFacts facts;
  const Members meta(profile.get("meta"));
  if (is_size_) facts.time_power = 0;
  facts.interval_ns =
      std::max<std::int64_t>(read_number(meta.get("interval"), facts.time_power), 0);
  facts.libraries = library_names(profile.get("libs"), calls_->texts());
  const Members shared_members(profile.get("shared"));
  std::shared_ptr<const SharedTables> shared;
  // From version 58 to 59 only the texts were shared, so threads had tables of their own.
  if (shared_members.has("stackTable")) {
    shared = read_shared_tables(shared_members, facts, *calls_);
    tables_.push_back(shared);
  } else {
    take_shared(shared_members, facts);
  }
  json::JsonWalk walk(profile.get("threads"));
  if (json::is_array(profile.get("threads")) && walk.enter('[')) {
    while (walk.next_item()) {
      const std::string_view raw = walk.value();
      if (walk.cut()) {
        out_->diagnostics().count(kLostThread);
        break;
      }
      if (!goes_on(raw)) return false;
      const Members thread(raw);
      std::shared_ptr<const SharedTables> own = shared;
      if (own == nullptr) {
        own = read_shared_tables(thread, facts, *calls_);
        tables_.push_back(own);
      }
      add_thread(read_processed_thread(thread, facts, own), facts);
    }
  }
  if (profile.has("pages")) out_->note("pages", profile.get("pages"));
  read_counters(profile.get("counters"), facts, false, ProcessId{});
  return true;
}

bool ProfileLoad::read_gecko(std::string_view text) {
  std::deque<InnerProfile> inner = {{text, true}};
  for (; !inner.empty(); inner.pop_front()) {
    const InnerProfile next = inner.front();
    const Members profile(next.text);
    cut_ = cut_ || profile.cut();
    if (!read_gecko_profile(profile, inner, next.is_outer)) return false;
  }
  return true;
}

bool ProfileLoad::read_gecko_profile(const Members& profile, std::deque<InnerProfile>& inner,
                                     bool is_outer) {
  ProfileFacts facts;
  const Members meta(profile.get("meta"));
  facts.interval_ns = std::max<std::int64_t>(read_number(meta.get("interval"), 6), 0);
  const std::int64_t start_ns = read_number(meta.get("startTime"), 6);
  if (!is_outer && start_ns != kNoValue && outer_start_ns_ != kNoValue) {
    facts.time_offset_ns = saturating_difference(start_ns, outer_start_ns_);
  }
  const std::string_view libraries = profile.get("libs");
  if (json::is_string(libraries)) {
    inner_texts_->push_back({libraries, json::text_of(libraries)});
    facts.ranges = library_ranges(inner_texts_->back().text, calls_->texts());
  } else {
    facts.ranges = library_ranges(libraries, calls_->texts());
  }
  const std::size_t first_thread = threads_.size();
  json::JsonWalk walk(profile.get("threads"));
  if (json::is_array(profile.get("threads")) && walk.enter('[')) {
    while (walk.next_item()) {
      const std::string_view raw = walk.value();
      if (walk.cut()) {
        out_->diagnostics().count(kLostThread);
        break;
      }
      if (!goes_on(raw)) return false;
      if (json::is_string(raw)) {  // another process, before version 5
        inner_texts_->push_back({raw, json::text_of(raw)});
        inner.push_back({inner_texts_->back().text});
        continue;
      }
      if (!json::is_object(raw)) continue;
      const ThreadTables thread = read_gecko_thread(Members(raw), facts, *calls_);
      tables_.push_back(thread.shared);
      add_thread(thread, facts);
    }
  }
  json::JsonWalk processes(profile.get("processes"));
  if (json::is_array(profile.get("processes")) && processes.enter('[')) {
    while (processes.next_item()) {
      const std::string_view process = processes.value();
      if (json::is_object(process)) inner.push_back({process});
    }
  }
  for (const char* const key : {"pages", "sources", "profilerOverhead"}) {
    if (is_outer && profile.has(key)) out_->note(key, profile.get(key));
  }
  if (threads_.size() == first_thread) {  // all were lost, or it has none: nobody knows its id
    if (!read_values(profile.get("counters")).empty()) {
      read_counters(profile.get("counters"), facts, true, out_->process("-"));
    }
    return true;
  }
  const ProcessId process = out_->thread_facts(threads_[first_thread].id).process;
  add_pauses(process, profile.get("pausedRanges"), facts.time_offset_ns, threads_[first_thread]);
  read_counters(profile.get("counters"), facts, true, process);
  return true;
}

void ProfileLoad::add_thread(const ThreadTables& thread, const ProfileFacts& facts) {
  const std::string place = fmt::format("#{}", thread_by_place_.size() + 1);
  const std::string pid = or_dash(thread.pid);
  std::string tid = thread.tid.empty() ? place : thread.tid;
  if (!ids_.emplace(pid, tid).second) tid += place;
  ids_.emplace(pid, tid);
  ReadThread& out = threads_.emplace_back();
  out.id = out_->thread(out_->process(pid), tid);
  const std::string shown = (thread.name.empty() ? tid : thread.name).substr(0, kMostTrackBytes);
  const bool first_of_name = names_.emplace(pid, shown).second;
  out.track_prefix = first_of_name ? shown + ": " : fmt::format("{} {}: ", shown, tid);
  out.tables = thread.shared;
  thread_by_place_.push_back(out.id);
  Thread& of = out_->thread_facts(out.id);
  of.name = out_->intern(thread.name);
  StringId& process_name = out_->process_facts(of.process).name;
  if (process_name == kEmptyString) process_name = out_->intern(thread.process_name);
  left_over_ += thread.left_over;
  allocations_ += thread.allocations;
  sample_count_ += thread.sample_stack.size();
  place_samples(thread, facts, out);
  out.markers = make_markers(thread.markers, facts.time_power, facts.time_offset_ns);
  marker_count_ += out.markers.slices.size() + out.markers.instants.size();
  without_time_ += out.markers.without_time;
  stray_ends_ += out.markers.stray_ends;
  out.samples_end_ns = out.end_ns;
  out.begin_ns = std::min(out.begin_ns, out.markers.begin_ns);
  out.end_ns = std::max(out.end_ns, out.markers.end_ns);
  if (!is_gecko_) add_pauses(of.process, thread.paused, facts.time_offset_ns, out);
}

void ProfileLoad::place_samples(const ThreadTables& tables, const ProfileFacts& facts,
                                ReadThread& out) {
  const StackCalls& stacks = tables.shared->stacks;
  const std::size_t rows = std::min(tables.sample_stack.size(), tables.sample_time_ns.size());
  if (tables.has_weights && !tables.weight_type.empty()) weight_type_ = tables.weight_type;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t time_ns = tables.sample_time_ns[i], stack = tables.sample_stack[i];
    if (time_ns == kNoValue) {
      ++without_time_;
      continue;
    }
    std::uint32_t call = kNoCall;
    if (stack != kNoValue && stack != -1) {
      if (stack < 0 || static_cast<std::uint64_t>(stack) >= stacks.call.size()) {
        ++bad_stacks_;
        continue;
      }
      call = stacks.call[static_cast<std::size_t>(stack)];
      calls_->count_sample(stacks.path[static_cast<std::size_t>(stack)]);
    }
    out.samples.push_back({time_ns, call});
    if (tables.has_weights) {
      const bool told =
          i < tables.sample_weight_ns.size() && tables.sample_weight_ns[i] != kNoValue;
      out.weights.push_back(told ? tables.sample_weight_ns[i] : 0);
    }
    out.begin_ns = std::min(out.begin_ns, time_ns);
    out.end_ns =
        std::max(out.end_ns, std::min(saturating_sum(time_ns, facts.interval_ns), kMaxTimeNs));
  }
}

void ProfileLoad::add_pauses(ProcessId process, std::string_view ranges, std::int64_t offset_ns,
                             const ReadThread& thread) {
  if (is_size_ || thread.begin_ns > thread.end_ns) return;
  for (const std::string_view range : read_values(ranges)) {
    const Members facts(range);
    const std::int64_t begin = read_number(facts.get("startTime"), 6);
    const std::int64_t end = read_number(facts.get("endTime"), 6);
    pauses_[index(process)].push_back(
        {begin == kNoValue ? thread.begin_ns : saturating_sum(begin, offset_ns),
         end == kNoValue ? thread.end_ns : saturating_sum(end, offset_ns)});
  }
}

}  // namespace cinderscope::firefox
