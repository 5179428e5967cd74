#include "formats/qubership/text/call_title.h"

#include <gtest/gtest.h>

namespace cinderscope::qubership {
namespace {

TEST(CallTitleTest, IsMadeOfTheRequest) {
  EXPECT_EQ(call_title({.method = "GET",
                        .url = "http://localhost:8080/orders/2",
                        .query = "page=3",
                        .client = "10.0.0.7"}),
            "GET /orders/2?page=3, client: 10.0.0.7");
  EXPECT_EQ(call_title({.url = "/orders"}), "/orders");
  EXPECT_EQ(call_title({.method = "GET"}), "");
}

TEST(CallTitleTest, IsWhatAnOlderAgentSaid) {
  EXPECT_EQ(call_title({.title = "GET /health, client: a", .url = "http://b/c"}),
            "GET /health, client: a");
}

TEST(CallTitleTest, LeavesTheServerOut) {
  EXPECT_EQ(path_of_url("https://host"), "/");
  EXPECT_EQ(path_of_url("https://host/a/b"), "/a/b");
  EXPECT_EQ(path_of_url("a/b"), "a/b");
}

}  // namespace
}  // namespace cinderscope::qubership
