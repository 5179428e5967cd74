#include "formats/google_json/write/sample_text.h"

#include <algorithm>

#include "ingest/base/decimal_time.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"

namespace cinderscope::google_json {
namespace {

using Part = ProfilePlan::Part;

std::size_t element_count(std::string_view array) {
  json::MemberReader reader(array);
  std::size_t count = 0;
  while (reader.next()) ++count;
  return count;
}

std::optional<std::int64_t> time_of(std::string_view value, const VerbatimPlan& plan) {
  const auto time =
      time_from_decimal(json::is_string(value) ? json::text_of(value) : std::string(value));
  if (!time) return std::nullopt;
  return plan.clock().time(time->ns);
}

Edit edit_of(std::string_view event, std::string_view value, std::string text) {
  const auto begin = static_cast<std::uint32_t>(value.data() - event.data());
  return {begin, begin + static_cast<std::uint32_t>(value.size()), std::move(text)};
}

// A time on the timeline's clock, at most `latest`.
void add_time_edit(std::string_view event, std::string_view value, std::int64_t latest,
                   const VerbatimPlan& plan, std::vector<Edit>& edits) {
  const auto time = time_of(value, plan);
  if (!time || (!plan.moves_all() && *time <= latest)) return;
  edits.push_back(edit_of(event, value, plan.time_text(std::min(*time, latest))));
}

// Of those that are kept the text stays where the one before them is kept, too.
std::string part_of_deltas(std::string_view deltas, const ProfilePlan::Chunk& chunk,
                           const Part& part, const VerbatimPlan& plan) {
  std::int64_t before = chunk.before_ns, written = chunk.written_ns;
  return filtered_array(
      deltas, [&](std::size_t i, std::string_view delta) -> std::optional<std::string> {
        const std::uint64_t sample = chunk.first + i;
        if (sample >= chunk.end) return std::nullopt;
        const bool follows = before == written;
        before = part.samples->times_ns[sample];
        if (!part.keeps(sample)) return std::nullopt;
        const std::int64_t time = part.time(sample);
        const std::int64_t length = saturating_difference(time, written);
        written = time;
        return follows && time == before ? std::string(delta) : plan.length_text(length);
      });
}

// `samples` and the arrays beside it that have an element for each of them.
void add_sample_edits(std::string_view event, std::string_view data, std::string_view cpu_profile,
                      std::string_view deltas, const ProfilePlan::Chunk& chunk, const Part& part,
                      const VerbatimPlan& plan, std::vector<Edit>& edits) {
  const std::string_view samples = json::member(cpu_profile, "samples");
  const std::size_t count = element_count(samples);
  const auto filter = [&](std::string_view array) {
    edits.push_back(edit_of(
        event, array,
        filtered_array(array,
                       [&](std::size_t i, std::string_view value) -> std::optional<std::string> {
                         const std::uint64_t sample = chunk.first + i;
                         if (sample >= chunk.end || !part.keeps(sample)) return std::nullopt;
                         return std::string(value);
                       })));
  };
  edits.push_back(edit_of(event, deltas, part_of_deltas(deltas, chunk, part, plan)));
  for (const std::string_view object : {data, cpu_profile}) {
    json::MemberReader members(object);
    while (members.next()) {
      const std::string_view value = members.value();
      if (!json::is_array(value) || members.raw_key() == "nodes" || value.data() == deltas.data()) {
        continue;
      }
      if (value.data() == samples.data() || element_count(value) == count) filter(value);
    }
  }
}

}  // namespace

std::string filtered_array(
    std::string_view array,
    const std::function<std::optional<std::string>(std::size_t, std::string_view)>& take) {
  json::MemberReader reader(array);
  std::string out;
  std::size_t at = 0;  // behind the element before
  bool first = true;
  for (std::size_t i = 0; reader.next(); ++i) {
    const auto begin = static_cast<std::size_t>(reader.value().data() - array.data());
    const std::string_view gap = array.substr(at, begin - at);
    at = begin + reader.value().size();
    if (i == 0) out += gap;
    const std::optional<std::string> text = take(i, reader.value());
    if (!text) continue;
    if (i > 0 && !first) out += gap;
    first = false;
    out += *text;
  }
  return out += array.substr(at);
}

bool tells_more_than_samples(std::string_view args) {
  const std::string_view data = json::member(args, "data");
  if (!json::member(data, "endTime").empty()) return true;
  json::MemberReader nodes(json::member(json::member(data, "cpuProfile"), "nodes"));
  return nodes.next();
}

void add_profile_edits(std::string_view event, std::string_view args,
                       const ProfilePlan::Chunk& chunk, bool is_whole, const VerbatimPlan& plan,
                       std::vector<Edit>& edits) {
  const Part& part = plan.profiles().part(chunk);
  const std::string_view data = json::member(args, "data");
  const std::string_view cpu_profile = json::member(data, "cpuProfile");
  const std::string_view times = is_whole ? cpu_profile : data;
  add_time_edit(event, json::member(times, "startTime"), INT64_MAX, plan, edits);
  const std::string_view end_time = json::member(times, "endTime");
  add_time_edit(event, end_time, part.end_ns, plan, edits);
  if (chunk.first == chunk.end) return;

  std::string_view deltas = json::member(times, "timeDeltas");
  if (deltas.empty()) deltas = json::member(cpu_profile, "timeDeltas");
  bool changes = chunk.kept < chunk.end - chunk.first;
  changes = changes || chunk.before_ns != chunk.written_ns;
  const auto has = [&](std::uint64_t sample) {
    return sample >= chunk.first && sample < chunk.end;
  };
  changes = changes || (part.held_ns != INT64_MIN && (has(part.held) || has(part.under)));
  if (changes) add_sample_edits(event, data, cpu_profile, deltas, chunk, part, plan, edits);
  if (!part.is_cut || !has(part.last) || !end_time.empty() || times.size() < 2) return;
  std::size_t last = times.size() - 1;  // behind the last member
  while (last > 0 && (json::is_blank(times[last - 1]) || times[last - 1] == ',')) --last;
  edits.push_back(edit_of(event, times.substr(last, times.size() - 1 - last),
                          ",\"endTime\":" + plan.time_text(part.end_ns)));
}

std::string part_of_samples(std::string_view samples, const VerbatimPlan& plan) {
  return filtered_array(samples,
                        [&](std::size_t, std::string_view sample) -> std::optional<std::string> {
                          const std::string_view ts = json::member(sample, "ts");
                          const auto time = time_of(ts, plan);
                          if (!plan.keeps_sample(sample, time)) return std::nullopt;
                          if (!time || !plan.moves_all()) return std::string(sample);
                          return edited(sample, {edit_of(sample, ts, plan.time_text(*time))});
                        });
}

}  // namespace cinderscope::google_json
