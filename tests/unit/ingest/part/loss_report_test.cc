#include "ingest/part/loss_report.h"

#include <gtest/gtest.h>

#include "ingest/base/json/json_writer.h"

namespace cinderscope {
namespace {

TEST(LossReportTest, SaysWhatWasWrittenAndWhatWasNot) {
  LossReport report;
  report.add_slices(87469);
  EXPECT_EQ(report.sentence("game.spall"), "87 469 slices written.");
  report.count(loss::kInstants, 6644, 12);
  report.count(loss::kInstants, 1, 5);
  report.count(loss::kFlows, 1);
  report.count(loss::kCutArguments, 12);
  EXPECT_EQ(report.sentence("game.spall"),
            "87 469 slices written. Not in game.spall: 6 645 instants, 1 flow; arguments of 12 "
            "slices were cut.");
  JsonWriter json;
  report.write_json(json);
  EXPECT_EQ(json.str(),
            R"({"written":{"slices":87469},"lost":[{"kind":"instants","count":6645,)"
            R"("first_offset":5},{"kind":"flows","count":1,"first_offset":null},)"
            R"({"kind":"cut_arguments","count":12,"first_offset":null}],"cut_slices":0})");
}

}  // namespace
}  // namespace cinderscope
