// What several windows keep of one trace, put together.
#pragma once

#include "app/store/saved_view_state.h"

namespace cinderscope {

// `theirs`, which lies on the disk, with what this window changed since it knew `before`: of lists
// what it added and took away, of all else what is no longer as it was.
SavedViewState merged(const SavedViewState& before, const SavedViewState& mine,
                      SavedViewState theirs);

}  // namespace cinderscope
