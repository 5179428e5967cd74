/* Hooks for gcc's and clang's -finstrument-functions: every call of a program is recorded by its
 * address, and named afterwards. Compile this file, like tsd.c, without that flag. */
#include "tsd.h"

#ifndef TSD_DISABLE
#ifdef __cplusplus
extern "C" {
#endif
#define TSD_HOOK __attribute__((no_instrument_function)) TSD_API
TSD_HOOK void __cyg_profile_func_enter(void* function, void* caller);
TSD_HOOK void __cyg_profile_func_exit(void* function, void* caller);

#define TSD_ADDRESS_META(kind, function) \
  ((uint64_t)(kind) << 48 | ((uint64_t)(uintptr_t)(function)&0xffffffffffffu))

void __cyg_profile_func_enter(void* function, void* caller) {
  (void)caller;
  if (tsd_is_on()) tsd_record(TSD_ADDRESS_META(TSD_KIND_ENTER_ADDRESS, function), TSD_BEGINS);
}

void __cyg_profile_func_exit(void* function, void* caller) {
  (void)caller;
  if (tsd_is_on()) tsd_record(TSD_ADDRESS_META(TSD_KIND_EXIT_ADDRESS, function), TSD_ENDS);
}
#ifdef __cplusplus
}
#endif
#else
typedef int tsd_functions_is_no_empty_file;
#endif
