// Format and TraceSource: what a plugin implements to open one kind of trace.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/format/load_context.h"
#include "ingest/format/name_index.h"
#include "ingest/format/symbols.h"
#include "ingest/input/input.h"
#include "ingest/model/record_text.h"

namespace cinderscope {

enum class Match : std::uint8_t { no, maybe, certain };

// The children of one slice that stayed on disk; a range, since one call may have a million. Those
// that are kNotCounted are to be counted first.
struct ChildQuery {
  std::uint64_t source_key = 0, first = 0, count = 0;
  std::uint32_t source = 0;  // as in DeferredChildren
  bool only_count = false;
};

// Children read by load_children: a block whose depth 0 is the children themselves.
struct LoadedChildren {
  std::vector<SliceRow> rows;
  std::vector<DeferredChildren> deferred;
  std::vector<SliceRow> nested_instants;  // [0]: instants right inside the slice itself
  // Where only these were asked for: as in DeferredChildren.
  std::uint64_t count = 0, piece_children = 0;
  Diagnostics diagnostics;  // of what was found to be wrong only now
};

// What `cinderscope tree` is asked for, of a format whose own tools print trees.
struct TreeRequest {
  std::uint64_t depth = 0;                          // deepest level; 0 for all
  std::string thread;                               // id or name; empty for all
  std::int64_t begin = INT64_MIN, end = INT64_MAX;  // only what happens in this range
  bool verbose = false;                             // with places in the source
  bool tidy = false;  // without what compilers and tools put into it, as the format's tools can
};
using TreeSink = std::function<bool(std::string_view lines)>;  // false: wants no more

// An opened trace; lives as long as its tab and keeps its Input.
class TraceSource : public RecordReader {
 public:
  // Reads everything (or the outer levels, leaving deferred children). Loader thread, once. Damage
  // is counted in the builder's diagnostics; an Error only if nothing can be shown.
  virtual Status load(TimelineBuilder& out, LoadContext& control) = 0;

  // All that it holds as a timeline: load, nest, and what was wrong with the input itself. Error if
  // nothing can be shown or the load was cancelled. Loader thread, once. Only what is made of other
  // sources does it in another way.
  virtual Result<Timeline> read(LoadContext& control);

  // Loader thread, after load(), any number of times; names go to the shared string pool.
  virtual Result<LoadedChildren> load_children(const ChildQuery& query, StringPool& names,
                                               LoadContext& control);

  // For a trace whose names lie in a file of their own, which may be beside it. Loader thread, but
  // for the first.
  virtual bool has_symbols() const { return false; }
  virtual bool has_symbols_beside() const { return false; }
  // After load(), any number of times: the names of another such file, or in other colours, put
  // into `now`; `shown` is the pool of what is shown. Nothing is read again but that file.
  virtual Result<LoadedSymbols> load_symbols(const StringPool& shown, const SymbolOptions& names,
                                             const std::shared_ptr<StringPool>& now);
  // `shown`, which it loaded, with such names; describe() tells them from then on.
  virtual Result<Timeline> renamed(const Timeline& shown, const SymbolOptions& names,
                                   LoadContext& control);

  RecordText describe(RecordOffset record, RecordOffset end_record) const override;

  // After load(), where some of the trace stayed on disk: reads all of it once. Any thread, beside
  // all else; `jobs` threads help. Null where nothing stayed on disk, and once cancelled.
  virtual std::shared_ptr<const NameIndex> survey(unsigned jobs, const std::atomic<bool>& cancelled,
                                                  const SurveyProgress& progress) const;

  virtual const Input& input() const = 0;

  // For `tree`: the trace as the tools print it that made it. No load() is needed before.
  virtual bool has_tree_text() const { return false; }
  virtual Status print_tree(const TreeRequest& request, const TreeSink& write,
                            LoadContext& control);

  // For `index`: writes the file beside the trace that lets it open faster, and returns its path.
  // No load() is needed before.
  virtual Result<std::string> write_index(LoadContext& control);
  // After load(): there is a place for such a file, and whether the one that is there is of no use.
  virtual bool can_write_index() const { return false; }
  virtual bool wants_index() const { return false; }

  // Every record given to the builder is smaller than this; known after load().
  virtual RecordOffset record_end() const { return input().size_bytes(); }

  // Any thread: ends a wait for bytes that come slowly, so that a cancelled load ends.
  virtual void stop() const { input().stop(); }

  // Of the file as it is stored and inflated, after load().
  struct Size {
    std::uint64_t stored_bytes = 0, inflated_bytes = 0;
  };
  virtual Size size() const { return {input().stored_bytes(), input().size_bytes()}; }

  // Facts that only this format has, for `info`: a JSON object's members as key and JSON text.
  virtual std::vector<std::pair<std::string, std::string>> details() const { return {}; }
};

// Stateless; one instance for the life of the program.
class Format {
 public:
  virtual ~Format() = default;
  virtual std::string_view name() const = 0;         // the folder's name, e.g. "google_json"
  virtual std::string_view description() const = 0;  // for people, e.g. "Google JSON trace"
  virtual Match probe(const Input& input) const = 0;
  // The first bytes of an input are a trace as well, and tell what the whole of it is like.
  virtual bool can_load_prefix() const { return false; }
  virtual Result<std::unique_ptr<TraceSource>> open(Input input) const = 0;
};

// The surest of `formats` for `input`, or an Error that says what was found instead.
Result<const Format*> detect(const std::vector<const Format*>& formats, const Input& input);

}  // namespace cinderscope
