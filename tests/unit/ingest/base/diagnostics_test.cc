#include "ingest/base/diagnostics.h"

#include <gtest/gtest.h>

namespace cinderscope {
namespace {

constexpr DiagnosticKind kTorn{"torn", Severity::damage, "A record is torn.", "Copy it again."};
constexpr DiagnosticKind kTornHead{"torn", Severity::lost, "A head is torn."};

TEST(DiagnosticsTest, AKindSaysItsSentenceUnlessAnotherIsGiven) {
  Diagnostics found;
  found.count(kTorn, 20);
  EXPECT_EQ(found.by_code().at("torn").text, "A record is torn.");
  EXPECT_EQ(found.by_code().at("torn").severity, Severity::damage);
  EXPECT_EQ(found.by_code().at("torn").advice, "Copy it again.");
  Diagnostics told;
  told.count(kTorn, 20, "Record 7 is torn.");
  EXPECT_EQ(told.by_code().at("torn").text, "Record 7 is torn.");
}

TEST(DiagnosticsTest, CountsCasesAndTellsOfTheFirst) {
  Diagnostics found;
  found.count(kTorn, 20, "Record 7 is torn.");
  found.count(kTorn, kNoOffset, "Some record is torn.", 3);
  found.count(kTorn, 10, "Record 3 is torn.");
  found.count(kTorn, 30, "Record 9 is torn.");
  found.count(kTorn, 5, "There is none.", 0);
  const Diagnostic& torn = found.by_code().at("torn");
  EXPECT_EQ(torn.count, 6u);
  EXPECT_EQ(torn.first_offset, 10);
  EXPECT_EQ(torn.text, "Record 3 is torn.");
  EXPECT_EQ(found.total(), 6u);
}

TEST(DiagnosticsTest, KindsOfOneCodeAreOneEntryOfTheWorstSeverity) {
  Diagnostics found;
  found.count(kTorn, 20);
  found.count(kTornHead, 30);
  ASSERT_EQ(found.by_code().size(), 1u);
  EXPECT_EQ(found.by_code().at("torn").text, "A record is torn.");
  EXPECT_EQ(found.by_code().at("torn").severity, Severity::lost);
  EXPECT_TRUE(found.has(kTorn));
}

TEST(DiagnosticsTest, InputsOfOneTraceAreToldApart) {
  Diagnostics a, all;
  a.count(kTorn, 20);
  all.merge(a, "a.json", 1);
  all.merge(a, "b.json", 2);
  EXPECT_EQ(all.by_code().at("torn").text, "a.json: A record is torn.");
  EXPECT_EQ(all.by_code().at("torn (2)").text, "b.json: A record is torn.");
  EXPECT_EQ(all.by_code().at("torn (2)").severity, Severity::damage);
  all.forget("torn", 2);
  EXPECT_EQ(all.by_code().size(), 1u);
}

}  // namespace
}  // namespace cinderscope
