#include "formats/flow/flow_source.h"

#include <fmt/format.h>

#include <filesystem>

#include "formats/flow/flow_load.h"
#include "formats/flow/mapping_file.h"
#include "formats/flow/method_key.h"
#include "ingest/base/fields.h"
#include "ingest/base/json/json_writer.h"
#include "ingest/base/path_text.h"

namespace cinderscope::flow {
namespace {

Error cancelled() {
  return {ErrorCode::cancelled, "Loading was cancelled.", {}};
}

}  // namespace

FlowSource::FlowSource(Input input, std::vector<ThreadFile> files)
    : input_(std::move(input)), files_(std::move(files)), names_(std::make_shared<const Names>()) {}

std::shared_ptr<const FlowSource::Names> FlowSource::names() const {
  const std::lock_guard lock(mutex_);
  return names_;
}

void FlowSource::set_names(std::shared_ptr<const Names> names) const {
  const std::lock_guard lock(mutex_);
  names_ = std::move(names);
}

Status FlowSource::load(TimelineBuilder& out, LoadContext& context) {
  out.count_events_by_thread();
  Result<std::optional<MappingFile>> found = read_mapping(input_, context.names());
  if (!found) return found.error();
  const std::optional<MappingFile>& mapping = *found;
  MethodTable methods(*out.strings(), context.names().colours_by_package);
  if (mapping) {
    methods.add(mapping->mapping);
    out.diagnostics().merge(mapping->mapping.diagnostics,
                            utf8_of(mapping->input.path().filename()));
  }
  const LoadedFiles loaded = load_files(input_, files_, methods, out, context);
  if (loaded.cancelled) return cancelled();
  layouts_ = loaded.layouts;
  size_ = loaded.size;
  out.diagnostics().count(diagnostic::kUnknownName, kNoOffset,
                          unknown_name_text(mapping.has_value()), loaded.unknown_calls);
  auto now = std::make_shared<Names>();
  now->pool = out.strings();
  now->mapped_count = methods.mapped_count();
  now->unknown_calls = loaded.unknown_calls;
  now->methods = methods.take();
  if (mapping) now->mapping_path = mapping->path;
  set_names(std::move(now));
  return ok();
}

void FlowSource::save(FieldWriter& out) const {
  const std::shared_ptr<const Names> now = names();
  out.add(size_.stored_bytes);
  out.add(size_.inflated_bytes);
  out.add(size_.own_bytes);
  out.add(std::uint64_t{layouts_.size()});
  for (const Layout layout : layouts_) out.add(layout);
  out.add(std::uint64_t{now->methods.size()});
  for (const Method& method : now->methods) {
    out.add(method.id);
    out.add(method.name);
    out.add(method.has_id);
    out.add(method.known);
  }
  out.add_text(now->mapping_path);
  out.add(std::uint64_t{now->mapped_count});
  out.add(now->unknown_calls);
}

bool FlowSource::restore(FieldReader& in, const std::shared_ptr<const StringPool>& pool) {
  size_.stored_bytes = in.take<std::uint64_t>();
  size_.inflated_bytes = in.take<std::uint64_t>();
  size_.own_bytes = in.take<std::uint64_t>();
  layouts_.resize(in.take_count(sizeof(Layout)));
  for (Layout& layout : layouts_) layout = in.take_enum(Layout::name_ids);
  auto now = std::make_shared<Names>();
  now->pool = pool;
  now->methods.resize(in.take_count(14));
  for (Method& method : now->methods) {
    method.id = in.take<std::uint64_t>();
    method.name = in.take<StringId>();
    method.has_id = in.take<bool>();
    method.known = in.take<bool>();
    if (index(method.name) >= pool->size()) in.fail();
  }
  now->mapping_path = in.take_text();
  now->mapped_count = in.take<std::uint64_t>();
  now->unknown_calls = in.take<std::uint64_t>();
  set_names(std::move(now));
  return in.done();
}

RecordText FlowSource::read_record(RecordOffset record, RecordOffset) const {
  RecordText text;
  const std::shared_ptr<const Names> now = names();
  if (record >= now->methods.size()) return text;
  const Method& method = now->methods[record];
  const std::string_view key = now->pool->text(method.name);
  const auto add = [&text](std::string_view name, std::string value) {
    if (!value.empty()) text.facts.emplace_back(name, std::move(value));
  };
  if (method.known) {
    const MethodKey parts = method_key(key);
    add("Class", std::string(parts.class_name));
    add("Method", std::string(parts.method));
    add("Signature", signature_text(parts.descriptor));
    add("Key", std::string(key));
  }
  if (method.has_id) add("Id", fmt::to_string(method.id));
  if (!method.known) add("Name", "its id is not in the mapping");
  return text;
}

std::vector<std::filesystem::path> FlowSource::files() const {
  std::vector<std::filesystem::path> paths;
  if (input_.path().empty()) return paths;
  const bool is_folder = input_.is_folder();
  const std::filesystem::path folder = is_folder ? input_.path() : input_.path().parent_path();
  if (!is_folder) paths.push_back(input_.path());
  if (is_folder) {
    for (const ThreadFile& file : thread_files(input_))
      paths.push_back(folder / path_of(file.name));
  }
  if (has_mapping_beside(input_)) paths.push_back(folder / path_of(kMappingName));
  return paths;
}

RecordOffset FlowSource::record_end() const {
  return names()->methods.size();
}

std::vector<std::pair<std::string, std::string>> FlowSource::details() const {
  const std::shared_ptr<const Names> now = names();
  std::string layouts;
  for (const Layout layout : layouts_) {
    layouts += fmt::format("{}{}", layouts.empty() ? "" : ", ", layout_text(layout));
  }
  return {{"files", fmt::to_string(files_.size())},
          {"layout", json_quoted(layouts)},
          {"mapping", now->mapping_path.empty() ? "null" : json_quoted(now->mapping_path)},
          {"mapped_methods", fmt::to_string(now->mapped_count)},
          {"calls_without_name", fmt::to_string(now->unknown_calls)}};
}

const Siblings* FlowSource::siblings() const {
  const bool is_one_thread = !input_.is_folder() && !input_.path().empty() &&
                             !tid_of_name(utf8_of(input_.path().filename())).empty();
  return is_one_thread ? this : nullptr;
}

std::size_t FlowSource::thread_count() const {
  const Result<Input> folder = Input::from_path(path_of(recording_path()) / "");
  return folder && folder->is_folder() ? thread_files(*folder).size() : 0;
}

std::string FlowSource::recording_path() const {
  std::error_code unknown;
  return utf8_of(std::filesystem::absolute(input_.path(), unknown).parent_path());
}

bool FlowSource::has_beside() const {
  return has_mapping_beside(input_);
}

Result<std::vector<RenamedTracks>> FlowSource::load(const StringPool& shown,
                                                    const SymbolOptions& wanted,
                                                    const std::shared_ptr<StringPool>& pool) const {
  Result<std::optional<MappingFile>> found = read_mapping(input_, wanted);
  if (!found) return found.error();
  const std::optional<MappingFile>& mapping = *found;
  const std::shared_ptr<const Names> before = names();
  const auto now = std::make_shared<Names>();
  now->pool = pool;
  LoadedSymbols out;
  out.by_old.resize(shown.size(), kEmptyString);
  for (Method method : before->methods) {
    const std::string_view old = before->pool->text(method.name);
    if (method.has_id) {
      const auto mapped = mapping ? mapping->mapping.by_id.find(method.id)
                                  : decltype(IdMapping::by_id)::const_iterator();
      method.known = mapping && mapped != mapping->mapping.by_id.end();
      method.name = method.known ? intern_key(*pool, mapping->mapping.methods[mapped->second].key,
                                              wanted.colours_by_package)
                                 : pool->intern(unnamed_method(method.id));
    } else {
      method.name = intern_key(*pool, old, wanted.colours_by_package);
    }
    const std::size_t name = index(method.name);
    if (name >= out.nameless.size()) out.nameless.resize(name + 1);
    out.nameless[name] = method.known ? 0 : 1;
    if (const auto id = shown.find(old)) out.by_old[index(*id)] = method.name;
    now->methods.push_back(method);
  }
  if (mapping) {
    now->mapping_path = mapping->path;
    now->mapped_count = mapping->mapping.methods.size();
    out.diagnostics.merge(mapping->mapping.diagnostics, utf8_of(mapping->input.path().filename()));
  }
  out.their_kinds = {&diagnostic::kBadMapping, &diagnostic::kDuplicateId,
                     &diagnostic::kDuplicateName};
  out.nameless_text = unknown_name_text(mapping.has_value());
  out.take_effect = [this, now](std::uint64_t nameless_calls) {
    now->unknown_calls = nameless_calls;
    set_names(now);
  };
  std::vector<RenamedTracks> renamed(1);
  renamed.front().names = std::move(out);
  return renamed;
}

}  // namespace cinderscope::flow
