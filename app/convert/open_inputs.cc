#include "app/convert/open_inputs.h"

#include <memory>
#include <utility>

#include "app/session/merged_trace.h"
#include "app/session/open_source.h"
#include "ingest/base/path_text.h"

namespace cinderscope {

Result<OpenedTrace> open_inputs(const std::vector<MergeFile>& files, LoadContext& context) {
  if (files.size() == 1) {
    const std::string& path = files.front().path;
    Result<OpenedSource> opened = open_source(path, context);
    if (!opened) return opened.error();
    return load_opened(path, std::move(*opened), context);
  }
  const auto merged = std::make_shared<MergedSource>(files, open_source);
  return load_opened(merged_title(files), {.source = merged, .merged = merged.get()}, context);
}

std::vector<std::string> paths_read(const std::vector<MergeFile>& files,
                                    const TraceSource* source) {
  std::vector<std::string> paths;
  for (const MergeFile& file : files) paths.push_back(file.path);
  if (source != nullptr) {
    for (const auto& path : source->files()) paths.push_back(utf8_of(path));
  }
  return paths;
}

ConvertInput input_of(const OpenedTrace& trace, const std::vector<MergeFile>& files) {
  return {.timeline = trace.timeline,
          .source = trace.source.get(),
          .format = std::string(trace.format == nullptr ? "merged" : trace.format->name()),
          .paths = paths_read(files, trace.source.get())};
}

}  // namespace cinderscope
