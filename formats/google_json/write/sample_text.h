// The text of events and lists with samples, of which only some are copied.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/google_json/write/json_edit.h"
#include "formats/google_json/write/profile_plan.h"
#include "formats/google_json/write/verbatim_plan.h"

namespace cinderscope::google_json {

// `array` with the elements that `take` has a text for; blanks and line ends stay between them.
std::string filtered_array(
    std::string_view array,
    const std::function<std::optional<std::string>(std::size_t, std::string_view)>& take);

// A profile's event has nodes or an end, which later events may need.
bool tells_more_than_samples(std::string_view args);

// What changes of the args of a profile's event: samples, what runs along with them, times. `args`
// lies in `event`. `is_whole`: a CpuProfile, of which all lies in its cpuProfile.
void add_profile_edits(std::string_view event, std::string_view args,
                       const ProfilePlan::Chunk& chunk, bool is_whole, const VerbatimPlan& plan,
                       std::vector<Edit>& edits);

// The container's `samples`.
std::string part_of_samples(std::string_view samples, const VerbatimPlan& plan);

}  // namespace cinderscope::google_json
