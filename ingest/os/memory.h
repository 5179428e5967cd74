// Hands memory that was freed back to the system; the allocator else keeps it for later.
#pragma once

namespace cinderscope {

// Any thread. Worth it where megabytes were freed in many small pieces that what follows will not
// use; takes about a millisecond for a hundred of them. Does nothing where the system offers no
// way.
void give_back_free_memory();

// From now on, a block of 128 KiB or more goes back to the system as soon as it is freed, and
// leaves no hole between others. The allocator else learns from the first large block that it frees
// to keep such ones. Once at the start of the program.
void keep_large_blocks_apart();

}  // namespace cinderscope
