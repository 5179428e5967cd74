// TraceSource: an opened trace. What a format implements to have its traces loaded and shown.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ingest/base/result.h"
#include "ingest/build/timeline_builder.h"
#include "ingest/format/load_context.h"
#include "ingest/input/input.h"
#include "ingest/model/record_text.h"

namespace cinderscope {

class CallFacts;
class IndexFile;
class LoadedState;
class NameIndexReader;
class NativeSymbols;
class Siblings;
class Statements;
class Symbols;
class TreeText;

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

// Lives as long as its tab and keeps its Input.
class TraceSource : public RecordReader {
 public:
  // Reads everything, or the outer levels, leaving deferred children. Damage is counted in the
  // builder's diagnostics; an Error only if nothing can be shown, or once cancelled. Loader thread,
  // by read_timeline(): once, and once more where the times of a thread step back. The second time
  // it has to give the same slices; all else that it gives then is left aside.
  virtual Status load(TimelineBuilder& out, LoadContext& context) = 0;

  // Loader thread, after load(), any number of times; names go to the shared string pool.
  virtual Result<LoadedChildren> load_children(const ChildQuery& query, StringPool& names,
                                               LoadContext& context);

  // By read_record(); never what another file says that was written over the one that was read.
  RecordText describe(RecordOffset record, RecordOffset end_record) const final;
  // describe() of each; `texts` has as many. The file is looked at once for
  // all of them, which costs more than reading a record does.
  struct RecordEnds {
    RecordOffset record = kNoRecord, end_record = kNoRecord;
  };
  void describe_all(std::span<const RecordEnds> records, std::span<RecordText> texts) const;
  // For those who write many records again. Of each its category, looked at as describe_all() does.
  void categories_of(std::span<const RecordEnds> records, std::span<std::string> categories) const;
  // False: no record has one.
  virtual bool has_categories() const { return has_args(); }
  // Appends what the record says, as it stands in the file, if that is its arguments and nothing
  // else; false: describe() tells. Who has asked for some then asks whether records_are_same().
  virtual bool append_plain_args(RecordOffset record, std::string& out) const;
  bool records_are_same() const;
  // Any thread: describe() has met such a file.
  bool met_other_file() const { return met_other_file_; }

  virtual const Input& input() const = 0;
  // Every record given to the builder is smaller than this; known after load().
  virtual RecordOffset record_end() const { return input().size_bytes(); }
  // Any thread: ends a wait for bytes that come slowly, so that a cancelled load ends.
  virtual void stop() const { input().stop(); }

  struct Size {
    std::uint64_t stored_bytes = 0, inflated_bytes = 0;  // of the file
    std::uint64_t own_bytes = 0;  // of memory that is neither the timeline nor the mapped file
  };
  // After load(): of every call it is known where its end is recorded, so that events can be copied
  // (LoadOptions::for_writing asks for it).
  virtual bool knows_ends() const { return true; }
  // After load().
  virtual Size size() const { return {input().stored_bytes(), input().size_bytes()}; }

  // Facts that only this format has, for `info`: a JSON object's members as key and JSON text.
  virtual std::vector<std::pair<std::string, std::string>> details() const { return {}; }

  // -- the files: loader thread, they look at the disk
  // Those that the trace consists of now, as far as it has any.
  virtual std::vector<std::filesystem::path> files() const;
  // They are written while they are read, so growth is as expected.
  virtual bool grows() const { return false; }
  // Loader thread, after load() with LoadOptions::reads_on: another source of the same files, whose
  // load() reads what has come since and gives the timeline of all. Null: they have to be opened
  // anew. Records stay the same; this source goes on describing them, but cannot be read on again.
  virtual std::unique_ptr<TraceSource> read_on() { return nullptr; }
  // Before and after load(): what the files are like that are read.
  void note_files();
  void note_read() const { input().note_read(); }
  // What happened to them since.
  virtual DiskChange change_on_disk() const;

  // After load(), any thread: the thread that the file asks to be shown first; kNoThread: none.
  virtual ThreadId active_thread() const { return kNoThread; }
  // A load colours functions by groups of the file (categories) where
  // SymbolOptions::colours_by_package asks for it, so a change of that needs a load.
  virtual bool has_group_colours() const { return false; }

  // -- what not every trace can do: null where it cannot (capabilities.h, symbols.h, name_index.h)
  virtual const Symbols* symbols() const { return nullptr; }
  virtual const NativeSymbols* native_symbols() const { return nullptr; }
  virtual const IndexFile* index_file() const { return nullptr; }
  virtual TreeText* tree_text() { return nullptr; }
  virtual const NameIndexReader* name_index() const { return nullptr; }  // after load()
  virtual const Statements* statements() const { return nullptr; }       // after load()
  virtual const Siblings* siblings() const { return nullptr; }
  virtual const CallFacts* call_facts() const { return nullptr; }  // after load()
  virtual LoadedState* loaded_state() { return nullptr; }

  // Records, and children that stayed on disk, can still be read as they were.
  virtual bool records_stay() const;

 protected:
  // As RecordReader::describe() says.
  virtual RecordText read_record(RecordOffset record, RecordOffset end_record) const;
  // The same of each, where records that follow each other are less work.
  virtual void read_records(std::span<const RecordEnds> records, std::span<RecordText> texts) const;
  // The categories of these alone, where that is less work.
  virtual void read_categories(std::span<const RecordEnds> records,
                               std::span<std::string> categories) const;

 private:
  struct NotedFile {
    std::filesystem::path path;
    FileStatus status;
  };
  std::vector<NotedFile> noted_files_;  // but the input's own
  mutable std::atomic<bool> met_other_file_{false};
};

// Children as `source` has them; an Error if the file has other content by now. Loader thread.
Result<LoadedChildren> read_children(TraceSource& source, const ChildQuery& query,
                                     StringPool& names, LoadContext& context);

// All that `source` holds: loaded, nested, and with what was wrong with the input itself. An Error
// if nothing can be shown or the load was cancelled. Loader thread, once for each source.
Result<Timeline> read_timeline(TraceSource& source, LoadContext& context);

}  // namespace cinderscope
