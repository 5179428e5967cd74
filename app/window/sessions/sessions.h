// The window's session: opening, saving, what was not found, and what is not saved yet.
#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/commands.h"
#include "app/pack/pack.h"
#include "app/session_file/locate.h"
#include "app/session_file/session_file.h"
#include "app/session_file/session_path.h"
#include "app/window/status_message.h"
#include "ingest/os/child_process.h"
#include "ingest/os/file.h"
#include "render/base/actions.h"
#include "render/base/rect.h"

namespace cinderscope {

class AppContext;
class Session;
struct Tab;

// The session that the window has open.
struct OpenSession {
  std::string path;       // absolute; empty: it was not saved yet
  std::string text_path;  // the same, or within a pack
  SessionFile file;
  std::vector<LocatedTrace> located;  // of its traces
  std::optional<FileStatus> status;   // of the file as it was read or written last
  std::uint64_t saved_key = 0, key = 0;
  std::vector<std::string> problems;  // of a pack
  bool note_dismissed = false, left_out_dismissed = false;
  bool absolute = false;      // paths of its traces
  bool read_only = false;     // another window has it open
  bool newer_agreed = false;  // it may be replaced although a newer version wrote it
};

// UI thread only.
class SessionsController {
 public:
  explicit SessionsController(AppContext& app) : app_(app) {}

  // Where traces are looked for, too.
  void look_in(std::vector<std::string> folders) { look_in_ = std::move(folders); }
  // In this window if nothing is open, else in a new one. Returns at once. `asked`: when the user
  // did; just now if that is not known.
  void open(const std::string& path,
            std::optional<std::chrono::steady_clock::time_point> asked = {});
  // To its own file, or to `path`; that is replaced if it is there only with `force`. An Error: not
  // now; what the disk says against it comes later (take_failed()).
  Status save(const std::string& path, bool force);
  bool in_pack() const { return session_.has_value() && session_->text_path != session_->path; }
  const std::string& path() const;  // of its file or its pack; empty: it was not saved
  // All of it as it would be saved now, for a pack.
  Result<PackInput> pack_input();
  // Its traces are named by absolute paths.
  void save_absolute(bool absolute);
  bool saves_absolute() const { return session_ ? session_->absolute : absolute_; }
  // Nobody has to be asked where.
  bool saves_to_own() const {
    return session_.has_value() && !session_->path.empty() && !session_->read_only && !in_pack();
  }
  std::string offered_path() const;  // for a session that was not saved yet
  Status forget();                   // the tabs stay
  void set_note(std::string_view title, std::string_view note);
  // Another recording in place of a tab's: all that is shown of it stays. Whether the file is there
  // is known later (take_failed()).
  Status replace_trace(const std::string& path, std::size_t tab);
  // A missing trace is that file; the others are looked for near it.
  void note_located(Tab& tab, const std::string& path);
  Status leave_out();  // the shown tab, which misses its trace

  // True: there is something unsaved, and it is asked what is to become of it.
  bool asks_before_end();
  // "save", "discard", "cancel", "replace", "replace-newer", "theirs", "dismiss".
  Status answer(std::string_view word);

  std::string label() const;       // "night ·"; empty: there is none
  std::string state_json() const;  // "null" or an object
  std::vector<std::string> notices() const;
  bool shows_note() const;
  Rect draw_notices(const Rect& area, Actions& actions);

  // Why a file was not written or taken, once: for scripts, which saw it begin.
  std::string take_failed() { return std::exchange(failed_, {}); }
  bool busy() const;  // something is being read, written or put back: scripts wait for it
  void poll();

 private:
  struct Read {
    std::string path;
    Result<ReadSession> session;
    std::vector<LocatedTrace> located;
    std::optional<FileStatus> status;
    bool open_elsewhere = false;  // in another window
  };
  struct Written {
    Status done;
    bool changed_meanwhile = false;  // by somebody else: it was not written
    std::string path;
    std::shared_ptr<const JsonValue> original;
    std::vector<std::optional<std::size_t>> origins;  // of the tabs
    std::vector<SessionTrace> traces;
    std::optional<FileStatus> status;
  };

  struct Replacing {
    const Session* session = nullptr;  // which may be closed by now
    MessageOwner owner;
    std::string path;           // absolute
    std::future<bool> looking;  // whether there is such a file
  };

  void take_replacing();
  void put_in_place(std::size_t tab, const std::string& absolute);
  std::string folder_before() const;  // of the session that was read; empty: none was
  void take_read();
  void take_written();
  void make_tabs(Read read);
  void make_tab(const SessionTab& saved, std::size_t place);
  void make_comparison(const SessionTab& saved, std::size_t place);
  const LocatedTrace* located(const TabTrace& of) const;  // null: there is no such trace
  void arrange();
  void begin_loads();
  void restore_panels(const SessionTab& active);
  void restore(Tab& tab);
  bool sides_are_back(const Tab& tab) const;
  Result<SessionFile> captured(std::vector<std::string>& paths);
  void add_queries(SessionFile& file) const;
  std::string trace_id(SessionFile& file, std::vector<std::string>& paths, const Tab& tab,
                       const std::string& path);
  void write(std::string path, bool is_own);
  std::uint64_t key_now() const;
  bool unsaved() const;
  std::vector<std::string> missing() const;

  AppContext& app_;
  std::optional<OpenSession> session_;
  std::future<Read> reading_;
  std::chrono::steady_clock::time_point asked_;  // for what is read
  std::future<Written> writing_;
  std::future<std::vector<LocatedTrace>> locating_;
  std::vector<std::pair<SessionTab, std::size_t>> unopened_;  // a trace of theirs is missing
  std::size_t comparisons_due_ = 0;
  bool arranging_ = false;
  bool asking_ = false, quits_then_ = false, asks_replace_ = false, asks_newer_ = false;
  std::vector<ChildProcess> windows_;  // that were started
  std::uint64_t seen_ = 0;             // the key of what is being written
  std::vector<std::string> look_in_;
  bool absolute_ = false;  // of sessions to come
  std::string held_;       // the session that other windows are told of
  std::string failed_;     // why the last file was not written or taken
  std::optional<Replacing> replacing_;
};

std::span<const Command> session_commands();

}  // namespace cinderscope
