#include "formats/firefox/thread_tables.h"

#include <algorithm>
#include <array>

#include "formats/firefox/gecko_location.h"
#include "ingest/base/json/raw_json.h"
#include "ingest/base/saturating.h"

namespace cinderscope::firefox {
namespace {

std::int64_t at_row(const std::vector<std::int64_t>& column, std::size_t row) {
  return row < column.size() ? column[row] : kNoValue;
}

std::shared_ptr<const RawTexts> shared_values(std::string_view array) {
  return std::make_shared<const RawTexts>(array);
}

std::vector<std::int64_t> names_of_sources(const Members& sources) {
  return read_column(sources.get("filename"));
}

void read_functions(const Members& members, const std::vector<TextNumber>& libraries,
                    const std::vector<std::int64_t>& source_names, FirefoxCalls& calls,
                    SharedTables& out) {
  const Members table(members.get("funcTable"));
  const Members resources(members.get("resourceTable"));
  const auto names = read_column(table.get("name")), is_js = read_column(table.get("isJS"));
  const auto relevant = read_column(table.get("relevantForJS"));
  const auto resource = read_column(table.get("resource"));
  const auto file = read_column(table.get("fileName")), source = read_column(table.get("source"));
  const auto line = read_column(table.get("lineNumber"));
  const auto column = read_column(table.get("columnNumber"));
  const auto flags = read_column(table.get("flags"));
  const auto resource_names = read_column(resources.get("name"));
  const auto resource_libraries = read_column(resources.get("lib"));
  const auto number_of = [&](std::int64_t text) {
    return calls.texts().number_of_raw(out.raw(text));
  };
  std::uint64_t ignored = 0;
  const std::size_t rows = row_count(table, {names.size()}, ignored);
  for (std::size_t i = 0; i < rows; ++i) {
    FunctionFacts facts;
    facts.name = number_of(names[i]);
    facts.is_js = at_row(is_js, i) == 1;
    facts.flags = at_row(relevant, i) == 1 ? 1 : 0;
    if (at_row(flags, i) != kNoValue) facts.flags += 2 * at_row(flags, i);
    const std::int64_t from = at_row(resource, i);
    if (from >= 0) {
      const auto row = static_cast<std::size_t>(from);
      const std::int64_t library = at_row(resource_libraries, row);
      if (library >= 0 && static_cast<std::uint64_t>(library) < libraries.size()) {
        facts.module = libraries[static_cast<std::size_t>(library)];
      } else {
        facts.module = number_of(at_row(resource_names, row));
      }
    }
    const std::int64_t in = at_row(source, i);
    facts.file =
        number_of(in >= 0 ? at_row(source_names, static_cast<std::size_t>(in)) : at_row(file, i));
    facts.line = std::max<std::int64_t>(at_row(line, i), -1);
    facts.column = std::max<std::int64_t>(at_row(column, i), -1);
    out.functions.push_back(calls.function(facts));
  }
}

std::vector<FrameFacts> read_frames(const Members& table, const std::vector<TextNumber>& libraries,
                                    FirefoxCalls& calls, const SharedTables& tables) {
  const auto function = read_column(table.get("func")), line = read_column(table.get("line"));
  const auto column = read_column(table.get("column"));
  const auto address = read_column(table.get("address"));
  const auto category = read_column(table.get("category"));
  const auto inlined = read_column(table.get("inlineDepth"));
  const auto library = read_column(table.get("lib"));  // from version 70 on
  std::uint64_t ignored = 0;
  const std::size_t rows = row_count(table, {function.size()}, ignored);
  std::vector<FrameFacts> frames(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t number = function[i];
    if (number >= 0 && static_cast<std::uint64_t>(number) < tables.functions.size()) {
      frames[i].function = tables.functions[static_cast<std::size_t>(number)];
    }
    frames[i].line = at_row(line, i);
    frames[i].column = at_row(column, i);
    frames[i].address = at_row(address, i);
    frames[i].category = at_row(category, i);
    frames[i].inlined = at_row(inlined, i) > 0;
    const std::int64_t lies_in = at_row(library, i);
    if (lies_in >= 0 && static_cast<std::uint64_t>(lies_in) < libraries.size()) {
      frames[i].module = calls.interned(libraries[static_cast<std::size_t>(lies_in)]);
    }
  }
  return frames;
}

StackRows read_stacks(const Members& table) {
  StackRows stacks{.prefix = read_column(table.get("prefix")),
                   .frame = read_column(table.get("frame"))};
  if (table.has("prefixOffset")) {
    stacks.prefix = read_column(table.get("prefixOffset"));
    for (std::size_t i = 0; i < stacks.prefix.size(); ++i) {
      std::int64_t& offset = stacks.prefix[i];
      const bool root = offset == 0 || offset == kNoValue;
      // A caller that lies before the first row leads nowhere: it is taken as behind.
      offset = root ? kNoValue
               : offset < 0 || offset > static_cast<std::int64_t>(i)
                   ? INT64_MAX
                   : static_cast<std::int64_t>(i) - offset;
    }
  }
  std::uint64_t ignored = 0;
  const std::size_t rows = row_count(table, {stacks.prefix.size(), stacks.frame.size()}, ignored);
  stacks.prefix.resize(rows);
  stacks.frame.resize(rows);
  return stacks;
}

void read_thread_facts(const Members& thread, ThreadTables& out) {
  out.name = json::text_of(thread.get("name"));
  out.process_name = json::text_of(thread.get("processName"));
  out.pid = json::text_of(thread.get("pid"));
  out.tid = json::text_of(thread.get("tid"));
  out.paused = thread.get("pausedRanges");
}

std::int64_t moved(std::int64_t time_ns, std::int64_t offset_ns) {
  return time_ns == kNoValue ? kNoValue : saturating_sum(time_ns, offset_ns);
}

std::int8_t phase_of(std::int64_t number) {
  return number >= 0 && number <= 3 ? static_cast<std::int8_t>(number) : std::int8_t{0};
}

}  // namespace

std::vector<std::int64_t> read_times(const Members& table, int power) {
  if (const std::string_view times = table.get("time"); !times.empty()) {
    return read_column(times, power);
  }
  std::vector<std::int64_t> times = read_column(table.get("timeDeltas"), power);
  std::int64_t now = 0;
  for (std::int64_t& time : times) {
    if (time == kNoValue) continue;
    now = std::clamp(saturating_sum(now, time), -(std::int64_t{1} << 62), std::int64_t{1} << 62);
    time = now;
  }
  return times;
}

std::string_view SharedTables::raw(std::int64_t number) const {
  const bool there = number >= 0 && static_cast<std::uint64_t>(number) < strings->texts.size();
  return there ? strings->texts[static_cast<std::size_t>(number)] : std::string_view();
}

std::string SharedTables::text(std::int64_t number) const {
  return json::text_of(raw(number));
}

void take_shared(const Members& shared, ProfileFacts& out) {
  if (shared.has("stringArray")) out.strings = shared_values(shared.get("stringArray"));
  out.source_names = names_of_sources(Members(shared.get("sources")));
}

std::vector<TextNumber> library_names(std::string_view libraries, ProfileTexts& texts) {
  std::vector<TextNumber> names;
  for (const std::string_view library : read_values(libraries)) {
    names.push_back(texts.number_of_raw(Members(library).any({"name", "debugName", "path"})));
  }
  return names;
}

std::shared_ptr<const SharedTables> read_shared_tables(const Members& members,
                                                       const ProfileFacts& facts,
                                                       FirefoxCalls& calls) {
  auto tables = std::make_shared<SharedTables>();
  std::string_view strings = members.get("stringArray");
  if (strings.empty()) {
    const std::string_view table = members.get("stringTable");  // copied from a console
    strings = json::is_array(table) ? table : Members(table).get("_array");
  }
  const bool own_strings = !strings.empty() || facts.strings == nullptr;
  tables->strings = own_strings ? shared_values(strings) : facts.strings;
  // What the profile has is not copied for each of its threads.
  const std::string_view libs = members.get("libs");
  const auto own_libraries = library_names(libs, calls.texts());
  const auto own_sources = names_of_sources(Members(members.get("sources")));
  const auto& libraries = libs.empty() ? facts.libraries : own_libraries;
  read_functions(members, libraries, members.has("sources") ? own_sources : facts.source_names,
                 calls, *tables);
  tables->stacks =
      calls.calls_of(read_stacks(Members(members.get("stackTable"))),
                     read_frames(Members(members.get("frameTable")), libraries, calls, *tables));
  return tables;
}

ThreadTables read_processed_thread(const Members& thread, const ProfileFacts& facts,
                                   std::shared_ptr<const SharedTables> shared) {
  ThreadTables out;
  read_thread_facts(thread, out);
  out.shared = std::move(shared);
  const Members samples(thread.get("samples"));
  out.sample_time_ns = read_times(samples, facts.time_power);
  out.sample_stack = read_column(samples.get("stack"));
  out.weight_type = json::text_of(samples.get("weightType"));
  const std::size_t rows =
      row_count(samples, {out.sample_time_ns.size(), out.sample_stack.size()}, out.left_over);
  out.sample_time_ns.resize(rows);
  out.sample_stack.resize(rows);
  if (const std::string_view weights = samples.get("weight"); json::is_array(weights)) {
    out.has_weights = true;
    out.sample_weight_ns = read_column(weights, out.weight_type == "tracing-ms" ? 6 : 0);
  }
  const Members markers(thread.get("markers"));
  const auto names = read_column(markers.get("name"));
  const auto data = read_values(markers.get("data"));
  const bool phases = markers.has("phase");
  const auto phase = read_column(markers.get("phase"));
  const auto start = read_column(markers.get(phases ? "startTime" : "time"), facts.time_power);
  const auto end = read_column(markers.get("endTime"), facts.time_power);
  const std::size_t marker_rows =
      phases ? row_count(markers, {names.size(), start.size(), phase.size()}, out.left_over)
             : row_count(markers, {names.size(), start.size()}, out.left_over);
  for (std::size_t i = 0; i < marker_rows; ++i) {
    out.markers.push_back({.name = names[i],
                           .start_ns = start[i],
                           .end_ns = at_row(end, i),
                           .phase = phases ? phase_of(phase[i]) : kNoPhase,
                           .data = i < data.size() ? data[i] : std::string_view()});
  }
  for (const char* const key : {"jsAllocations", "nativeAllocations"}) {
    const std::int64_t count = read_number(Members(thread.get(key)).get("length"));
    if (count > 0) out.allocations += static_cast<std::uint64_t>(count);
  }
  return out;
}

ThreadTables read_gecko_thread(const Members& thread, const ProfileFacts& facts,
                               FirefoxCalls& calls) {
  ThreadTables out;
  read_thread_facts(thread, out);
  auto tables = std::make_shared<SharedTables>();
  tables->strings = shared_values(thread.get("stringTable"));
  std::vector<FrameFacts> frames;
  // Of each text, plain and where it is relevant for JS.
  std::array<std::vector<std::uint32_t>, 2> functions;
  functions.fill(std::vector<std::uint32_t>(tables->strings->texts.size(), kNoFunction));
  each_row(thread.get("frameTable"), {"location", "line", "column", "category", "relevantForJS"},
           [&](std::span<const std::string_view> row) {
             FrameFacts frame;
             const std::int64_t text = read_number(row[0]);
             const bool relevant = row[4] == "true";
             if (text >= 0 && static_cast<std::uint64_t>(text) < tables->strings->texts.size()) {
               std::uint32_t& known = functions[relevant ? 1 : 0][static_cast<std::size_t>(text)];
               if (known == kNoFunction) {
                 FunctionFacts function =
                     function_of_location(tables->text(text), facts, calls.texts());
                 function.flags = relevant ? 1 : 0;
                 known = calls.function(function);
               }
               frame.function = known;
             }
             frame.line = read_number(row[1]);
             frame.column = read_number(row[2]);
             frame.category = read_number(row[3]);
             frames.push_back(frame);
           });
  StackRows stacks;
  each_row(thread.get("stackTable"), {"prefix", "frame"},
           [&](std::span<const std::string_view> row) {
             stacks.prefix.push_back(read_number(row[0]));
             stacks.frame.push_back(read_number(row[1]));
           });
  tables->stacks = calls.calls_of(stacks, frames);
  each_row(thread.get("samples"), {"stack", "time"}, [&](std::span<const std::string_view> row) {
    out.sample_stack.push_back(read_number(row[0]));
    out.sample_time_ns.push_back(moved(read_number(row[1], 6), facts.time_offset_ns));
  });
  const Members schema(Members(thread.get("markers")).get("schema"));
  const bool phases = schema.has("phase");
  each_row(thread.get("markers"), {"name", "time", "startTime", "endTime", "phase", "data"},
           [&](std::span<const std::string_view> row) {
             const std::string_view start = phases ? row[2] : row[1];
             RawMarker marker{.name = read_number(row[0]),
                              .start_ns = moved(read_number(start, 6), facts.time_offset_ns),
                              .end_ns = moved(read_number(row[3], 6), facts.time_offset_ns),
                              .phase = phases ? phase_of(read_number(row[4])) : kNoPhase,
                              .data = row[5]};
             const std::string_view type = json::member(marker.data, "type");
             if (type == "\"JS allocation\"" || type == "\"Native allocation\"") {
               ++out.allocations;
               return;
             }
             out.markers.push_back(marker);
           });
  const auto counts = [](const RawMarker& marker) {
    return marker.phase == 3 ? marker.end_ns : marker.start_ns;
  };
  std::ranges::stable_sort(out.markers, {}, counts);
  out.shared = std::move(tables);
  return out;
}

}  // namespace cinderscope::firefox
