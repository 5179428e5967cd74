#include "app/convert/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <system_error>

#include "app/convert/estimate.h"
#include "app/convert/split_times.h"
#include "formats/all_writers.h"
#include "ingest/base/ascii.h"
#include "ingest/base/path_text.h"
#include "ingest/input/archive.h"
#include "ingest/model/call_walk.h"
#include "ingest/os/file.h"
#include "render/text/size_text.h"

namespace cinderscope {
namespace {

namespace fs = std::filesystem;

std::string names_path(const std::string& out) {
  return out + ".names.tsv";
}

// OUT.001.json of OUT.json; what follows the first point of the name is its ending.
std::string numbered(const ConvertRequest& request, std::size_t number) {
  const fs::path path = path_of(request.out);
  std::string name = utf8_of(path.filename());
  std::size_t at = ascii_lower(name).rfind(request.writer->ending());
  if (at == std::string::npos || at == 0) at = name.size();
  name.insert(at, fmt::format(".{:03}", number));
  return utf8_of(path.parent_path() / path_of(name));
}

struct Piece {
  PartOptions options;
  std::string path;
};

// UINT64_MAX if that is not known.
std::uint64_t free_bytes_for(const fs::path& out) {
  std::error_code unknown;
  const fs::path folder = out.has_parent_path() ? out.parent_path() : path_of(".");
  const fs::space_info space = fs::space(folder, unknown);
  return unknown ? UINT64_MAX : space.available;
}

}  // namespace

Error nothing_inside(const Timeline& timeline) {
  return Error{ErrorCode::refused,
               fmt::format("Nothing lies in this range; the trace lasts from {} to {}.",
                           timeline.begin_ns, timeline.end_ns),
               {}};
}

Status choose_writer(ConvertRequest& request, const std::string& format,
                     std::optional<OutputPacking> packing) {
  request.writer = format.empty() ? writer_of_name(request.out) : writer_named(format);
  if (request.writer == nullptr) {
    std::string known;
    for (const TraceWriter* writer : all_writers()) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ",
                           format.empty() ? writer->ending() : writer->name());
    }
    return refused(format.empty()
                       ? fmt::format("\"{}\" has none of the endings {}; --format says what to "
                                     "write.",
                                     request.out, known)
                       : fmt::format("There is no format \"{}\"; there are {}.", format, known));
  }
  const std::string name = ascii_lower(request.out);
  request.packing = packing.value_or(name.ends_with(".gz")    ? OutputPacking::gzip
                                     : name.ends_with(".zst") ? OutputPacking::zstd
                                                              : OutputPacking::none);
  if (request.packing != OutputPacking::none && !request.writer->can_pack()) {
    return refused(fmt::format("{} files are not packed.", request.writer->ending()));
  }
  return ok();
}

Status check_output(const fs::path& path, bool force, const std::vector<std::string>& inputs) {
  if (path == "-") return ok();
  const std::optional<FileStatus> there = file_status(path);
  if (!there) return ok();
  for (const std::string& input : inputs) {
    const auto inside = path_in_archive(path_of(input));
    const std::optional<FileStatus> read = file_status(inside ? inside->archive : path_of(input));
    if (read && read->device == there->device && read->inode == there->inode) {
      return refused(fmt::format("{} is what is read; it is not overwritten.", utf8_of(path)));
    }
  }
  if (!force) return refused(fmt::format("{} exists; --force replaces it.", utf8_of(path)));
  return ok();
}

Status expect_room(const std::filesystem::path& out, std::uint64_t bytes) {
  const std::uint64_t free_bytes = free_bytes_for(out);
  if (bytes <= free_bytes) return ok();
  return Error{
      ErrorCode::refused,
      fmt::format("About {} are needed, {} are free.", size_text(bytes), size_text(free_bytes)),
      {}};
}

Result<PartOptions> part_options(const ConvertInput& input, const ConvertRequest& request) {
  const Timeline& timeline = input.timeline;
  PartOptions options;
  const Result<TypedRange> range = range_in(time_context(timeline), request.from, request.to);
  if (!range) return range.error();
  options.from = range->begin_ns;
  options.to = range->end_ns;
  if (options.from >= options.to) return nothing_inside(timeline);
  options.tracks = request.tracks;
  if (!request.threads.empty()) {
    Result<std::vector<TrackId>> tracks = tracks_meant(timeline, request.threads);
    if (!tracks) return tracks.error();
    options.tracks.insert(options.tracks.end(), tracks->begin(), tracks->end());
    std::ranges::sort(options.tracks);
    options.tracks.erase(std::unique(options.tracks.begin(), options.tracks.end()),
                         options.tracks.end());
    if (options.tracks.empty()) return nothing_inside(timeline);
  }
  options.edges = request.edges;
  options.min_duration = request.min_duration;
  options.depth = request.depth;
  options.zero = request.zero;
  options.args = request.args && !request.anonymous;
  options.categories = !request.anonymous;
  options.rewrite = request.rewrite;
  options.source_format = input.format;
  return options;
}

Result<Converted> convert(const ConvertInput& input, const ConvertRequest& request,
                          LoadContext& context) {
  Result<PartOptions> options = part_options(input, request);
  if (!options) return options.error();
  NameChanges changes{.only = request.only_names, .rename = request.rename, .anonymous = {}};
  if (request.anonymous) {
    changes.anonymous = std::make_shared<AnonymousWords>(input.timeline, request.keep_names);
  }
  options->names = name_changer(changes, true);
  options->owner_names = name_changer(changes, false);

  const bool has_range = options->has_range();
  std::vector<Piece> pieces;
  {
    PartReader part(input.timeline, input.source, *options, context);
    if (part.tracks().empty()) return nothing_inside(input.timeline);
    const bool is_file = request.out != "-";
    std::uint64_t bytes = 0;
    // To sum up takes as long as to write, and pieces of a file that is not in order as long as all
    // of it.
    const bool may_be_full = is_file && !request.writer->sums_up() &&
                             ample_bytes(part) > free_bytes_for(path_of(request.out));
    if (request.split_bytes > 0 || may_be_full) {
      const Result<std::uint64_t> estimated = estimated_bytes(part, *request.writer);
      if (estimated) bytes = *estimated;
      if (context.cancelled()) return Error{ErrorCode::cancelled, "Writing was cancelled.", {}};
    }
    if (is_file && request.packing == OutputPacking::none) {
      if (const Status room = expect_room(path_of(request.out), bytes); !room) return room.error();
    }
    if (request.split_bytes == 0) {
      pieces.push_back({*options, request.out});
    } else {
      const std::uint64_t count = std::max<std::uint64_t>(1, (bytes - 1) / request.split_bytes + 1);
      for (const TypedRange& range : split_times(part, count)) {
        Piece piece{*options, numbered(request, pieces.size() + 1)};
        piece.options.from = range.begin_ns;
        piece.options.to = range.end_ns;
        pieces.push_back(std::move(piece));
      }
    }
  }
  const bool lists_names = request.anonymous && request.list_names && request.out != "-";
  for (const Piece& piece : pieces) {
    if (const Status may = check_output(path_of(piece.path), request.force, input.paths); !may) {
      return may.error();
    }
  }
  if (lists_names) {
    const Status may = check_output(path_of(names_path(request.out)), request.force, input.paths);
    if (!may) return may.error();
  }

  Converted converted;
  std::vector<std::unique_ptr<Output>> outputs;
  for (Piece& piece : pieces) {
    PartReader part(input.timeline, input.source, std::move(piece.options), context);
    outputs.push_back(std::make_unique<Output>(path_of(piece.path), request.packing));
    LossReport losses;
    const Status written = request.writer->write(part, *outputs.back(), losses);
    if (!written && written.error().code == ErrorCode::refused) {
      converted.wrong_form = written.error().text;
      converted.files.clear();
      return converted;
    }
    if (!written) return written.error();
    if (context.cancelled()) {
      return Error{ErrorCode::cancelled, "Writing was cancelled.", {}, kNoOffset};
    }
    converted.losses.add(losses);
    converted.bytes += outputs.back()->bytes();
    converted.files.emplace_back(path_of(piece.path));
  }
  const bool is_other =
      input.source != nullptr && !input.source->grows() && input.source->met_other_file();
  if (is_other) return Error{ErrorCode::damaged, "The file has changed since it was read.", {}};
  if (!converted.losses.anything_written()) {
    return has_range ? nothing_inside(input.timeline)
                     : refused(fmt::format("There is nothing in this trace that {} can hold.",
                                           request.writer->description()));
  }
  if (request.strict && !converted.losses.lost().empty()) {
    converted.refused = true;
    converted.files.clear();
    return converted;
  }
  if (lists_names) {
    outputs.push_back(
        std::make_unique<Output>(path_of(names_path(request.out)), OutputPacking::none));
    const Result<OutputFile*> list = outputs.back()->file();
    if (!list) return list.error();
    (*list)->append(changes.anonymous->list());
  }
  for (const auto& output : outputs) {
    if (const Status done = output->commit(); !done) return done.error();
  }
  return converted;
}

}  // namespace cinderscope
