// What a merged trace can do beside being read: what its files can.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "app/session/merged_name_index.h"
#include "app/session/merged_trace.h"
#include "ingest/base/path_text.h"
#include "ingest/base/saturating.h"

namespace cinderscope {
namespace {

// The folder in which a trace's file with names would lie.
std::filesystem::path folder_of(const Input& input) {
  return input.is_folder() ? input.path() : input.path().parent_path();
}

}  // namespace

std::vector<SymbolOptions> names_of_each(const std::vector<std::shared_ptr<TraceSource>>& sources,
                                         const SymbolOptions& wanted) {
  std::vector<SymbolOptions> names(sources.size(), wanted);
  if (wanted.mapping_path.empty()) return names;
  const auto folder = path_of(wanted.mapping_path).parent_path();
  const auto lies_beside = [&](const TraceSource& source) {
    std::error_code unknown;
    return std::filesystem::equivalent(folder, folder_of(source.input()), unknown);
  };
  const auto has_none = [](const TraceSource& source) { return !source.symbols()->has_beside(); };
  const auto take = [&](const auto& holds) {
    std::vector<bool> takes;
    for (const auto& source : sources) {
      takes.push_back(source != nullptr && source->symbols() != nullptr && holds(*source));
    }
    if (std::ranges::count(takes, true) == 0) return false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!takes[i]) names[i].mapping_path.clear();
    }
    return true;
  };
  if (!take(lies_beside)) take(has_none);
  return names;
}

std::vector<SymbolOptions> MergedSource::names_of_each(const SymbolOptions& wanted) const {
  std::vector<std::shared_ptr<TraceSource>> sources;
  for (const Source& source : sources_) sources.push_back(source.source);
  return cinderscope::names_of_each(sources, wanted);
}

const Symbols* MergedSource::symbols_of_first() const {
  for (const Source& source : sources_) {
    if (source.source && source.source->symbols() != nullptr) return source.source->symbols();
  }
  return nullptr;
}

const Symbols* MergedSource::symbols() const {
  return symbols_of_first() != nullptr ? this : nullptr;
}

std::string_view MergedSource::file_ending() const {
  return symbols_of_first()->file_ending();
}

bool MergedSource::has_beside() const {
  return std::ranges::any_of(sources_, [](const Source& source) {
    return source.source && source.source->symbols() != nullptr &&
           source.source->symbols()->has_beside();
  });
}

Result<std::vector<RenamedTracks>> MergedSource::load(
    const StringPool& shown, const SymbolOptions& wanted,
    const std::shared_ptr<StringPool>& now) const {
  const auto several =
      std::ranges::count_if(sources_, [](const Source& source) { return source.number != 0; }) > 1;
  const std::vector<SymbolOptions> each = names_of_each(wanted);
  std::vector<RenamedTracks> renamed;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    if (!source.source || source.source->symbols() == nullptr) continue;
    Result<std::vector<RenamedTracks>> found = source.source->symbols()->load(shown, each[i], now);
    if (!found) return found.error();
    LoadedSymbols& names = found->front().names;
    if (names.name_of_record) {
      names.name_of_record = [of = std::move(names.name_of_record), first = source.first_record](
                                 RecordOffset record, StringId usual) {
        return of(record - first, usual);
      };
    }
    renamed.push_back({.first_track = source.first_track,
                       .track_count = source.track_count,
                       .names = std::move(names),
                       .label = several ? merged_[i].label : "",
                       .number = source.number});
  }
  return renamed;
}

const NativeSymbols* MergedSource::native_symbols() const {
  const bool any = std::ranges::any_of(sources_, [](const Source& source) {
    return source.source && source.source->native_symbols() != nullptr;
  });
  return any ? this : nullptr;
}

bool MergedSource::can_read() const {
  return std::ranges::any_of(sources_, [](const Source& source) {
    return source.source && source.source->native_symbols() != nullptr &&
           source.source->native_symbols()->can_read();
  });
}

bool MergedSource::wanted() const {
  return std::ranges::any_of(sources_, [](const Source& source) {
    return source.source && source.source->native_symbols() != nullptr &&
           source.source->native_symbols()->wanted();
  });
}

// Names go beside each file.
Result<SymbolReport> MergedSource::write(const SymbolRequest& request, LoadContext& context) const {
  const std::vector<SymbolOptions> each = names_of_each(context.names());
  SymbolReport sum;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const TraceSource* source = sources_[i].source.get();
    if (source == nullptr || source->native_symbols() == nullptr) continue;
    context.use_names(each[i]);
    Result<SymbolReport> report = source->native_symbols()->write(request, context);
    if (!report) return report;
    std::ranges::move(report->modules, std::back_inserter(sum.modules));
    sum.outside += report->outside;
    sum.cut = sum.cut || report->cut;
    if (!sum.written.empty() && !report->written.empty()) sum.written += ", ";
    sum.written += report->written;
  }
  return sum;
}

const NameIndexReader* MergedSource::name_index() const {
  const bool any = std::ranges::any_of(sources_, [](const Source& source) {
    return source.source && source.source->name_index() != nullptr;
  });
  return any ? this : nullptr;
}

std::shared_ptr<const NameIndex> MergedSource::read(const std::shared_ptr<StringPool>& names,
                                                    unsigned jobs,
                                                    const std::atomic<bool>& cancelled,
                                                    const SurveyProgress& progress) const {
  std::vector<MergedNameIndex::Part> parts;
  const auto has_index = [](const Source& source) {
    return source.source && source.source->name_index() != nullptr;
  };
  const auto all = static_cast<double>(std::ranges::count_if(sources_, has_index));
  double done = 0;
  bool whole = true;
  for (const Source& source : sources_) {
    if (!has_index(source)) continue;
    auto index = source.source->name_index()->read(
        names, jobs, cancelled, [&](double share) { progress((done + share) / all); });
    if (cancelled) return nullptr;
    ++done;
    if (index == nullptr) {  // the calls of the others are found nevertheless
      whole = false;
      continue;
    }
    parts.push_back({.index = std::move(index),
                     .shift_ns = source.shift_ns,
                     .first_record = source.first_record,
                     .record_end = source.record_end,
                     .first_track = source.first_track,
                     .track_count = source.track_count});
  }
  if (parts.empty()) return nullptr;
  return std::make_shared<MergedNameIndex>(std::move(parts), whole);
}

const Statements* MergedSource::statements() const {
  const bool any = std::ranges::any_of(sources_, [](const Source& source) {
    return source.source && source.source->statements() != nullptr;
  });
  return any ? this : nullptr;
}

const CallFacts* MergedSource::call_facts() const {
  return columns().empty() ? nullptr : this;
}

// Those of the first file that has some.
std::span<const CallFacts::Column> MergedSource::columns() const {
  for (const Source& source : sources_) {
    const CallFacts* facts = source.source ? source.source->call_facts() : nullptr;
    if (facts != nullptr) return facts->columns();
  }
  return {};
}

std::vector<std::int64_t> MergedSource::facts_of(RecordOffset record) const {
  const Source* source = source_of(record);
  const CallFacts* facts = source == nullptr ? nullptr : source->source->call_facts();
  if (facts == nullptr || facts->columns().data() != columns().data()) return {};
  return facts->facts_of(record - source->first_record);
}

std::vector<StatementTotal> MergedSource::totals(const std::atomic<bool>& cancelled) const {
  std::vector<StatementTotal> all;
  std::unordered_map<std::string, std::size_t> by_text;
  for (const Source& source : sources_) {
    const Statements* statements = source.source ? source.source->statements() : nullptr;
    if (statements == nullptr) continue;
    for (StatementTotal& one : statements->totals(cancelled)) {
      const auto [found, added] = by_text.try_emplace(one.text, all.size());
      if (added) {
        all.push_back(std::move(one));
        continue;
      }
      StatementTotal& sum = all[found->second];
      sum.count += one.count;
      sum.total_ns = saturating_sum(sum.total_ns, one.total_ns);
    }
  }
  return all;
}

}  // namespace cinderscope
