#include "app/window/panels/report_panel.h"

#include <utility>
#include <vector>

#include "app/questions/disk_search.h"
#include "app/session/merged_trace.h"
#include "ingest/format/capabilities.h"
#include "ingest/format/format.h"
#include "render/text/report_text.h"
#include "render/text/time_text.h"
#include "render/views/panels/report.h"

namespace cinderscope {

namespace {

ReadState read_state(const Session& session) {
  if (session.loading()) return ReadState::loading;
  return session.phase() == SessionPhase::ready ? ReadState::whole : ReadState::stopped;
}

std::vector<ReportedFile> merged_files(const Session& session) {
  std::vector<ReportedFile> files;
  const MergedSource* merged = session.merged_source();
  if (merged == nullptr) return files;
  for (std::size_t i = 0; i < merged->merged_files().size(); ++i) {
    const MergedFile& file = merged->merged_files()[i];
    files.push_back({file.name, merged->path(i), file.headline, file.problem});
  }
  return files;
}

}  // namespace

// What every healthy trace has is in the report alone.
std::uint64_t ReportPanel::count(const Session& session) const {
  return session.timeline().diagnostics.total(Severity::odd);
}

void ReportPanel::draw(const PanelFrame& frame, Actions& actions) {
  const Session& session = frame.session;
  LoadReport report{.timeline = session.timeline(),
                    .path = session.path(),
                    .files = merged_files(session),
                    .several_files = session.several_files(),
                    .load_seconds = session.load_seconds(),
                    .read = read_state(session)};
  bool offers_index = false;
  if (session.format() != nullptr) {
    report.format = std::string(session.format()->description()) + " trace";
  }
  if (const TraceSource* source = session.source()) {
    report.stored_bytes = source->size().stored_bytes;
    report.inflated_bytes = source->size().inflated_bytes;
    offers_index = source->index_file() != nullptr && source->index_file()->is_wanted();
    report.on_disk = disk_.progress_text();
  }
  draw_report({report, frame.theme, frame.area, offers_index}, actions);
}

Result<TakenTable> ReportPanel::take_table(Session& session, TableText /*form*/) {
  const auto& by_code = session.timeline().diagnostics.by_code();
  std::vector<std::pair<std::string, Diagnostic>> rows(by_code.begin(), by_code.end());
  const std::uint64_t count = rows.size();
  return TakenTable{
      .word = std::string(table_word()),
      .columns = {{.key = "code", .title = "Kind"},
                  {.key = "severity", .title = "Severity"},
                  {.key = "count", .title = "Count", .numbers = true},
                  {.key = "first_offset", .title = "First at byte", .numbers = true},
                  {.key = "text", .title = "What it means"}},
      .row_count = count,
      .write_row = [rows = std::move(rows)](std::uint64_t row, TableWriter& out) {
        const auto& [code, diagnostic] = rows[row];
        const bool has_place = diagnostic.first_offset >= 0;
        out.text(out.for_people() ? kind_text(code) : code);
        out.text(severity_name(diagnostic.severity));
        if (out.for_people()) {
          out.shown(count_text(diagnostic.count));
          out.shown(has_place ? count_text(static_cast<std::uint64_t>(diagnostic.first_offset))
                              : "");
        } else {
          out.count(diagnostic.count);
          has_place ? out.number(diagnostic.first_offset) : out.null();
        }
        out.text(diagnostic.text);
      }};
}

}  // namespace cinderscope
