#include "ingest/os/control_group.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/support/temp_dir.h"

namespace cinderscope {
namespace {

struct Groups {
  TempDir folder;

  void write(const std::string& path, std::string_view text) const {
    const std::filesystem::path file = folder.path() / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::uint64_t free(std::string_view of_process) const {
    write("of_process", of_process);
    return free_in_control_groups(folder.path() / "of_process", folder.path() / "groups");
  }
};

TEST(ControlGroupTest, WithoutALimitAllIsFree) {
  const Groups groups;
  EXPECT_EQ(groups.free("0::/\n"), UINT64_MAX);
  groups.write("groups/memory.max", "max\n");
  groups.write("groups/memory.current", "500\n");
  EXPECT_EQ(groups.free("0::/\n"), UINT64_MAX);
  EXPECT_EQ(groups.free(""), UINT64_MAX);
  EXPECT_EQ(groups.free("no groups at all"), UINT64_MAX);
}

TEST(ControlGroupTest, WhatFilesTookIsFree) {
  const Groups groups;
  groups.write("groups/memory.max", "1000\n");
  groups.write("groups/memory.current", "700\n");
  EXPECT_EQ(groups.free("0::/\n"), 300u);
  groups.write("groups/memory.stat", "anon 500\nfile 200\nactive_file 50\ninactive_file 100\n");
  EXPECT_EQ(groups.free("0::/\n"), 450u);
  groups.write("groups/memory.current", "2000\n");
  groups.write("groups/memory.stat", "");
  EXPECT_EQ(groups.free("0::/\n"), 0u);
}

// A service's limit may stand above the group that the process is in.
TEST(ControlGroupTest, TheTightestOfAllGroupsAboveCounts) {
  const Groups groups;
  groups.write("groups/a/memory.max", "5000\n");
  groups.write("groups/a/memory.current", "4900\n");
  groups.write("groups/a/b/memory.max", "2000\n");
  groups.write("groups/a/b/memory.current", "100\n");
  EXPECT_EQ(groups.free("0::/a/b/c\n"), 100u);
  EXPECT_EQ(groups.free("0::/a\n"), 100u);
  EXPECT_EQ(groups.free("0::/\n"), UINT64_MAX);
  EXPECT_EQ(groups.free("0::/../a/b\n"), UINT64_MAX);
}

TEST(ControlGroupTest, TheFirstVersionHasOtherFiles) {
  const Groups groups;
  groups.write("groups/memory/limit/memory.limit_in_bytes", "1000\n");
  groups.write("groups/memory/limit/memory.usage_in_bytes", "900\n");
  groups.write("groups/memory/limit/memory.stat", "inactive_file 1\ntotal_inactive_file 300\n");
  const std::string others = "12:cpu,cpuacct:/limit\n1:name=systemd:/x\n";
  EXPECT_EQ(groups.free(others), UINT64_MAX);
  EXPECT_EQ(groups.free(others + "4:memory:/limit\n"), 400u);
  EXPECT_EQ(groups.free(others + "4:hugetlb,memory:/limit/in\n"), 400u);
  // A container sees its own group as the root.
  groups.write("groups/memory/memory.limit_in_bytes", "50\n");
  groups.write("groups/memory/memory.usage_in_bytes", "20\n");
  EXPECT_EQ(groups.free("4:memory:/not/there\n"), 30u);
}

}  // namespace
}  // namespace cinderscope
