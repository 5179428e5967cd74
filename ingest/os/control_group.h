// Limits of memory that a control group (a container, a service) sets, of both versions.
#pragma once

#include <cstdint>
#include <filesystem>

namespace cinderscope {

// How much the process may still take within its group and all groups above it; the largest number
// where none has a limit. `of_process` is a file as /proc/self/cgroup, `mounted` where groups lie:
// /sys/fs/cgroup. What a group used to read and write files counts as free: it is given back when
// it is needed.
std::uint64_t free_in_control_groups(const std::filesystem::path& of_process,
                                     const std::filesystem::path& mounted);

}  // namespace cinderscope
