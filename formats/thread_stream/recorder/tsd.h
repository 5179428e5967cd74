/* Records what a program does into a thread stream (.tsd): calls, counters, arguments, stacks.
 * Copy tsd.h and tsd.c into a program (C99 or C++), or link cinderscope::recorder; see README.md.
 *
 * A thread writes 16-byte slots into a buffer of its own: no lock, no allocation, no text. Nothing
 * is recorded, and a zone costs a load and a branch, until TSD_PATH, TSD_START or a call asks for
 * it. TSD_DISABLE, and any system but little endian Linux, leave nothing of it. */
#ifndef TSD_H
#define TSD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(TSD_DISABLE) && (!defined(__linux__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
#define TSD_DISABLE
#pragma message("tsd.h records on little endian Linux only: all of it compiles to nothing here")
#endif

#ifndef TSD_API
#define TSD_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- What is recorded, and how -----------------------------------------------------------------
 */

/* A place in the source. Static; its texts are copied when it is first used. */
typedef struct tsd_site {
  const char *name, *category, *file;
  uint32_t line, rgba; /* bytes r, g, b, a; 0: the viewer chooses */
  uint32_t id;         /* 0: not registered yet; high bit: a filter leaves it out */
  uint32_t flags;
} tsd_site;

enum { TSD_LIVE = 0, TSD_MEMORY = 1 };
enum { TSD_KEEP_ALL = 0, TSD_KEEP_FIRST = 1, TSD_KEEP_LAST = 2 };
enum { TSD_RAW = 0, TSD_PACKED = 2 };
#ifndef TSD_LZ4 /* as a macro of the build it says that tsd.c may use liblz4; 1 in either case */
#define TSD_LZ4 1
#endif
enum { TSD_NOW = 0, TSD_DELAY = 1, TSD_CALL = 2, TSD_SIGNAL = 4, TSD_AT_EXIT = 8 };
enum { TSD_CLOCK_AUTO = 0, TSD_CLOCK_TSC = 1, TSD_CLOCK_MONOTONIC = 2 };
enum { TSD_CHILD_OFF = 0, TSD_CHILD_FILE = 1 };

typedef struct tsd_config {
  size_t size; /* of this struct */
  const char*
      path; /* "%e-%p.tsd": %e program, %p pid, %t start in s, %n number of the recording, %% */
  int mode; /* TSD_LIVE: mapped file, nothing lost by a kill. TSD_MEMORY: written at stop */
  int keep; /* TSD_KEEP_ALL, or the first or last records of each thread */
  uint64_t bytes_per_thread; /* for first and last; 4 MiB */
  uint64_t bytes_total; /* 2 GiB live, 256 MiB in memory; beyond it records are lost and counted */
  uint32_t chunk_bytes; /* 256 KiB */
  int pack;             /* in memory mode: TSD_RAW, TSD_PACKED, TSD_LZ4 */
  int start;            /* TSD_NOW, TSD_DELAY, TSD_CALL or TSD_SIGNAL */
  int stop;             /* TSD_AT_EXIT, and any of TSD_DELAY, TSD_CALL, TSD_SIGNAL added to it */
  uint32_t start_delay_ms, stop_delay_ms;
  int signal;                    /* SIGUSR2: starts, stops, starts the next one */
  const char *include, *exclude; /* extended regular expressions on "category/name" or "name" */
  int clock;                     /* TSD_CLOCK_AUTO, TSD_CLOCK_TSC, TSD_CLOCK_MONOTONIC */
  int fork_child;                /* TSD_CHILD_OFF, TSD_CHILD_FILE (the path must hold %p) */
  int crash_handler;             /* memory mode: writes what there is when the program crashes */
} tsd_config;

/* Records count attachments (arguments, values) as well. */
typedef struct tsd_counts {
  uint64_t records, lost, dropped, threads, bytes;
} tsd_counts;

#ifndef TSD_DISABLE

/* 0 or -errno. None of these is needed if the environment says it all. */
TSD_API void tsd_config_default(tsd_config* config);
TSD_API int tsd_init(const tsd_config* config); /* null: the defaults; -EALREADY while one is
                                                   recorded, and if the environment said it all */
TSD_API int tsd_start(void);                    /* the next file; -EALREADY while one is recorded */
TSD_API int tsd_stop(void);
TSD_API void tsd_pause(
    void); /* the same file goes on after tsd_resume, with a gap in each thread */
TSD_API void tsd_resume(void);
TSD_API int tsd_recording(void);
TSD_API int tsd_set_filter(const char* include, const char* exclude);
TSD_API void tsd_get_counts(tsd_counts* counts);

TSD_API void tsd_thread_attach(const char* name); /* optional: the first record attaches as well */
TSD_API void tsd_thread_detach(void);             /* optional: the thread's end detaches */
TSD_API uint32_t tsd_string(const char* text, size_t length); /* 0 if that cannot be done now */
TSD_API void tsd_enter_text(const char* name, size_t length); /* TSD_LEAVE() ends it */
TSD_API void tsd_managed_enter(uint16_t assembly, uint32_t class_token, uint32_t method_token);
TSD_API void tsd_managed_exit(uint16_t assembly, uint32_t method_token);
/* Belong to the record before. */
TSD_API void tsd_stack_native(int max_frames);
TSD_API void tsd_stack_entries(int kind, const uint64_t* entries,
                               int count); /* 2 Java, 3 managed */
TSD_API void tsd_modules_changed(void);    /* after dlopen or dlclose, if 100 ms late is too late */

/* The same as functions, for callers without macros: sites are kept by the caller. */
TSD_API void tsd_enter(tsd_site* site);
TSD_API void tsd_leave(void);
TSD_API void tsd_instant(tsd_site* site);
TSD_API void tsd_counter(tsd_site* site, double value);

/* --- The fast path -----------------------------------------------------------------------------
 */

#define TSD_INLINE static inline __attribute__((always_inline, no_instrument_function, unused))

typedef struct tsd_slot {
  uint64_t tick, meta; /* meta: site | aux << 32 | kind << 48, stored last */
} tsd_slot;

/* What a thread records into. Only its thread and handlers on it write `next` while recording. */
typedef struct tsd_lane {
  tsd_slot *next, *limit; /* a limit of null sends the next record through tsd_more */
  uint32_t busy;          /* a handler that interrupts this may not wait for the recorder's lock */
  uint32_t recording;     /* that `thread` belongs to */
  uint32_t stretch;       /* of that recording, from a start or resume to the next pause */
  struct tsd_thread* thread;
  unsigned long dropped, lost;
  uint32_t spent; /* the stretch for which no room is left: what comes is only counted as lost */
  tsd_slot* left_out; /* `next` when a filtered site was met: arguments that follow are its own */
  uint32_t ended;
  uint32_t enters_in, enters;  /* of TSD_ENTER, and in which stretch */
  uint64_t enters_left_out[8]; /* a bit for each of the outermost 512 */
  void* signal_stack;
  char name[64];
} tsd_lane;

typedef struct tsd_switch_state {
  uint32_t on;  /* 0, or the number of the stretch: new after each start and resume */
  uint32_t tsc; /* whether the clock is the processor's counter */
} tsd_switch_state;

typedef struct tsd_key {
  const char* text;
  uint32_t id;
} tsd_key;

extern TSD_API tsd_switch_state tsd_switch __attribute__((aligned(64)));
extern TSD_API __thread tsd_lane tsd_this_lane
    __attribute__((tls_model("initial-exec"), aligned(64)));

TSD_API uint64_t tsd_clock_system(void);
TSD_API uint32_t tsd_register(tsd_site* site);
/* The way through everything rare; with `busy` set where tsd_claim sets it. */
TSD_API tsd_slot* tsd_more(uint32_t slots, int how);
TSD_API void tsd_argument(tsd_key* key, uint32_t type, uint64_t value);
TSD_API void tsd_argument_text(tsd_key* key, const char* text, size_t length);
/* An argument right behind `end`, if nothing was recorded since; the new end or null. */
TSD_API tsd_slot* tsd_argument_at(tsd_slot* end, const char* key, uint32_t type, const void* data,
                                  size_t length);
TSD_API void tsd_argument_behind(const char* key, uint32_t type, const void* data, size_t length);
/* An argument that waits for the end of its call. */
enum { TSD_MOST_KEPT = 2 };
typedef struct tsd_kept {
  const char* key;
  uint32_t type, length;
  char bytes[40];
} tsd_kept;
/* The end of a call with its arguments, at once: no handler's records come between. */
TSD_API void tsd_end_with(uint64_t zone, const tsd_kept* kept, int count);
TSD_API void tsd_count_dropped(uint32_t records);

enum {
  TSD_KIND_ENTER = 1,
  TSD_KIND_EXIT = 2,
  TSD_KIND_INSTANT = 3,
  TSD_KIND_COUNTER = 4,
  TSD_KIND_ENTER_ADDRESS = 5,
  TSD_KIND_EXIT_ADDRESS = 6,
  TSD_KIND_ENTER_MANAGED = 7,
  TSD_KIND_EXIT_MANAGED = 8,
  TSD_KIND_ASYNC_BEGIN = 9,
  TSD_KIND_ASYNC_END = 10,
  TSD_KIND_FLOW = 11,
  TSD_KIND_RESUME = 12,
  TSD_KIND_CONT = 64,
  TSD_KIND_ARG = 65,
  TSD_KIND_STACK = 66,
  TSD_KIND_CLASS = 67,
  TSD_KIND_VALUE = 68
};
/* What a record may do where nothing was recorded yet, or not since a pause: an end has no begin
 * there, and an attachment no record. */
enum { TSD_ATTACHES = 0, TSD_BEGINS = 1, TSD_ENDS = 2 };
enum { TSD_TEXT = 0, TSD_I64 = 1, TSD_U64 = 2, TSD_F64 = 3, TSD_BOOL = 4, TSD_POINTER = 5 };

#define TSD_META(kind, aux, site) \
  ((uint64_t)(kind) << 48 | (uint64_t)(uint16_t)(aux) << 32 | (uint32_t)(site))

/* One instruction claims slots on x86-64, so handlers may come between any two. */
#if defined(__x86_64__) && defined(__LP64__) && defined(__GCC_ASM_FLAG_OUTPUTS__) && \
    !defined(TSD_BUSY_FORM)
#define TSD_CLAIM_BY_CMPXCHG 1
#endif

TSD_INLINE uint32_t tsd_is_on(void) {
  return __atomic_load_n(&tsd_switch.on, __ATOMIC_RELAXED);
}

TSD_INLINE uint64_t tsd_clock(void) {
#if defined(__x86_64__)
  if (__builtin_expect(__atomic_load_n(&tsd_switch.tsc, __ATOMIC_RELAXED) != 0, 1)) {
    return __builtin_ia32_rdtsc();
  }
#elif defined(__aarch64__)
  if (__builtin_expect(__atomic_load_n(&tsd_switch.tsc, __ATOMIC_RELAXED) != 0, 1)) {
    uint64_t ticks;
    __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
  }
#endif
  return tsd_clock_system();
}

/* Kind is never 0, so a reader that sees a meta sees all of the slot. */
TSD_INLINE void tsd_put(tsd_slot* slot, uint64_t tick, uint64_t meta) {
  slot->tick = tick;
#if __SIZEOF_POINTER__ == 8
  __atomic_store_n(&slot->meta, meta, __ATOMIC_RELEASE);
#else /* two words, the kind's last */
  __atomic_store_n((uint32_t*)(void*)&slot->meta, (uint32_t)meta, __ATOMIC_RELAXED);
  __atomic_store_n((uint32_t*)(void*)&slot->meta + 1, (uint32_t)(meta >> 32), __ATOMIC_RELEASE);
#endif
}

/* Slots that belong together. After a visit to tsd_more the time is taken again: a new buffer, a
 * thread's first record or a pause may have come between. Null if there is no room, and for an end
 * that is not in the stretch of recording of its begin any more. `stretch`: that; else it becomes
 * the one that the slots are in. It is read between `next` and the claim, which fails if a handler
 * recorded in between: behind a pause that record would have begun another stretch. */
TSD_INLINE tsd_slot* tsd_claim(uint32_t slots, int how, uint64_t* tick, uint32_t* stretch) {
  tsd_slot* slot;
#ifdef TSD_CLAIM_BY_CMPXCHG
  slot = __atomic_load_n(&tsd_this_lane.next, __ATOMIC_RELAXED);
  for (;;) {
    tsd_slot* end = (tsd_slot*)((uintptr_t)slot + slots * sizeof(tsd_slot));
    uint32_t now;
    int done;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    now = tsd_this_lane.stretch;
    if (how == TSD_ENDS && __builtin_expect(now != *stretch, 0)) return NULL;
    if (__builtin_expect(
            (uintptr_t)end > (uintptr_t)__atomic_load_n(&tsd_this_lane.limit, __ATOMIC_RELAXED),
            0)) {
      slot = tsd_more(slots, how);
      break;
    }
    __asm__ __volatile__("cmpxchgq %3, %1"
                         : "=@ccz"(done), "+m"(tsd_this_lane.next), "+a"(slot)
                         : "r"(end)
                         : "memory");
    if (__builtin_expect(done, 1)) {
      *stretch = now;
      return slot;
    }
  }
#else
  if (__atomic_load_n(&tsd_this_lane.busy, __ATOMIC_RELAXED)) {
    __atomic_store_n(&tsd_this_lane.dropped, tsd_this_lane.dropped + slots, __ATOMIC_RELAXED);
    return NULL;
  }
  __atomic_store_n(&tsd_this_lane.busy, 1u, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (how == TSD_ENDS && tsd_this_lane.stretch != *stretch) {
    __atomic_store_n(&tsd_this_lane.busy, 0u, __ATOMIC_RELEASE);
    return NULL;
  }
  slot = __atomic_load_n(&tsd_this_lane.next, __ATOMIC_RELAXED);
  if (__builtin_expect((uintptr_t)slot + slots * sizeof(tsd_slot) <=
                           (uintptr_t)__atomic_load_n(&tsd_this_lane.limit, __ATOMIC_RELAXED),
                       1)) {
    __atomic_store_n(&tsd_this_lane.next, slot + slots, __ATOMIC_RELAXED);
    *stretch = tsd_this_lane.stretch;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&tsd_this_lane.busy, 0u, __ATOMIC_RELEASE);
    return slot;
  }
  slot = tsd_more(slots, how);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&tsd_this_lane.busy, 0u, __ATOMIC_RELEASE);
#endif
  if (slot) *tick = tsd_clock();
  *stretch = tsd_this_lane.stretch; /* without room, too: then the end is as lost as the begin */
  return slot;
}

/* The time first: what a handler records after it then lies inside. */
TSD_INLINE tsd_slot* tsd_record_in(uint64_t meta, int how, uint32_t* stretch) {
  uint64_t tick = tsd_clock();
  tsd_slot* slot = tsd_claim(1, how, &tick, stretch);
  if (slot) tsd_put(slot, tick, meta);
  return slot;
}
TSD_INLINE tsd_slot* tsd_record(uint64_t meta, int how) {
  uint32_t stretch = tsd_this_lane.stretch;
  return tsd_record_in(meta, how, &stretch);
}

TSD_INLINE void tsd_record_with(uint64_t meta, uint64_t value, uint64_t value_meta) {
  uint64_t tick = tsd_clock();
  uint32_t unused;
  tsd_slot* slot = tsd_claim(2, TSD_BEGINS, &tick, &unused);
  if (!slot) return;
  tsd_put(slot + 1, value, value_meta);
  tsd_put(slot, tick, meta);
}

/* 0 if the site is left out or cannot be registered now. */
TSD_INLINE uint32_t tsd_site_id(tsd_site* site) {
  const uint32_t id = __atomic_load_n(&site->id, __ATOMIC_RELAXED);
  if (__builtin_expect(id - 1 < 0x7fffffffu, 1)) return id;
  if (id == 0) return tsd_register(site);
  tsd_this_lane.left_out = __atomic_load_n(&tsd_this_lane.next, __ATOMIC_RELAXED);
  return 0;
}

/* What tsd_zone_end needs to know: 0, or the site and the stretch of recording it was entered in.
 */
TSD_INLINE uint64_t tsd_zone_begin(tsd_site* site) {
  uint32_t id, stretch;
  if (__builtin_expect(!tsd_is_on(), 1)) return 0;
  id = tsd_site_id(site);
  if (!id) return 0;
  stretch = tsd_this_lane.stretch;
  tsd_record_in(TSD_META(TSD_KIND_ENTER, 0, id), TSD_BEGINS, &stretch);
  return (uint64_t)stretch << 32 | id;
}

TSD_INLINE void tsd_zone_end(uint64_t* zone) {
  uint32_t stretch = (uint32_t)(*zone >> 32);
  if (*zone && tsd_is_on()) {
    tsd_record_in(TSD_META(TSD_KIND_EXIT, 0, (uint32_t)*zone), TSD_ENDS, &stretch);
  }
}

/* After a count: a handler that paused and recorded meanwhile began the count of another stretch,
 * in which nothing is open once it is gone. */
TSD_INLINE uint32_t tsd_enters_are_of(uint32_t stretch) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(tsd_this_lane.enters_in == stretch, 1)) return 1;
  tsd_this_lane.enters = 0;
  return 0;
}

/* For TSD_LEAVE, which has no site to ask whether its begin was recorded. `zone` is as of
 * tsd_zone_begin. */
TSD_INLINE void tsd_note_enter(uint64_t zone) {
  const uint32_t stretch = zone ? (uint32_t)(zone >> 32) : tsd_this_lane.stretch;
  uint32_t level;
  uint64_t bit;
  if (tsd_this_lane.enters_in != stretch) {
    tsd_this_lane.enters_in = stretch;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* what a handler counts from here on ends before it */
    tsd_this_lane.enters = 0;
  }
  level = tsd_this_lane.enters++;
  if (!tsd_enters_are_of(stretch) || level >= 512) return;
  bit = (uint64_t)1 << (level & 63);
  if (zone)
    tsd_this_lane.enters_left_out[level >> 6] &= ~bit;
  else
    tsd_this_lane.enters_left_out[level >> 6] |= bit;
}

TSD_INLINE void tsd_enter_site(tsd_site* site) {
  if (__builtin_expect(!tsd_is_on(), 1)) return;
  tsd_note_enter(tsd_zone_begin(site));
}

/* The stretch of the begin; 0: it was not recorded. */
TSD_INLINE uint32_t tsd_note_leave(void) {
  const uint32_t stretch = tsd_this_lane.enters_in;
  uint32_t level;
  if (stretch != tsd_this_lane.stretch || tsd_this_lane.enters == 0) return 0;
  level = --tsd_this_lane.enters;
  if (!tsd_enters_are_of(stretch)) return 0;
  if (level < 512 && tsd_this_lane.enters_left_out[level >> 6] >> (level & 63) & 1) return 0;
  return stretch;
}

TSD_INLINE void tsd_leave_site(void) {
  uint32_t stretch;
  if (__builtin_expect(!tsd_is_on(), 1)) return;
  stretch = tsd_note_leave();
  if (stretch) tsd_record_in(TSD_META(TSD_KIND_EXIT, 0, 0), TSD_ENDS, &stretch);
}

TSD_INLINE void tsd_point(tsd_site* site) {
  uint32_t id;
  if (__builtin_expect(!tsd_is_on(), 1)) return;
  id = tsd_site_id(site);
  if (id) tsd_record(TSD_META(TSD_KIND_INSTANT, 0, id), TSD_BEGINS);
}

TSD_INLINE void tsd_point_with(tsd_site* site, uint32_t kind, uint32_t aux, uint64_t value) {
  uint32_t id;
  if (__builtin_expect(!tsd_is_on(), 1)) return;
  id = tsd_site_id(site);
  if (id) tsd_record_with(TSD_META(kind, aux, id), value, TSD_META(TSD_KIND_VALUE, 0, 0));
}

TSD_INLINE uint64_t tsd_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* --- Macros ------------------------------------------------------------------------------------
 */

#define TSD_JOIN_(a, b) a##b
#define TSD_JOIN(a, b) TSD_JOIN_(a, b)
#define TSD_SITE_(variable, category, name) \
  static tsd_site variable = {name, category, __FILE__, __LINE__, 0, 0, 0}

#define TSD_ZONE_IN(category, name)                                                       \
  TSD_SITE_(TSD_JOIN(tsd_site_, __LINE__), category, name);                               \
  uint64_t TSD_JOIN(tsd_zone_, __LINE__) __attribute__((cleanup(tsd_zone_end), unused)) = \
      tsd_zone_begin(&TSD_JOIN(tsd_site_, __LINE__))
#define TSD_ZONE(name) TSD_ZONE_IN(NULL, name)
#define TSD_FUNCTION() TSD_ZONE_IN(NULL, __func__)

#define TSD_WITH_SITE_(name, call)               \
  do {                                           \
    if (__builtin_expect(tsd_is_on() != 0, 0)) { \
      TSD_SITE_(tsd_site_here_, NULL, name);     \
      call;                                      \
    }                                            \
  } while (0)
#define TSD_ENTER(name) TSD_WITH_SITE_(name, tsd_enter_site(&tsd_site_here_))
#define TSD_LEAVE() tsd_leave_site()
#define TSD_INSTANT(name) TSD_WITH_SITE_(name, tsd_point(&tsd_site_here_))
#define TSD_POINT_(name, kind, aux, value) \
  TSD_WITH_SITE_(name, tsd_point_with(&tsd_site_here_, kind, aux, value))
#define TSD_COUNTER(name, value) TSD_POINT_(name, TSD_KIND_COUNTER, 0, tsd_bits(value))
#define TSD_ASYNC_BEGIN(name, id) TSD_POINT_(name, TSD_KIND_ASYNC_BEGIN, 0, (uint64_t)(id))
#define TSD_ASYNC_END(name, id) TSD_POINT_(name, TSD_KIND_ASYNC_END, 0, (uint64_t)(id))
#define TSD_FLOW_BEGIN(name, id) TSD_POINT_(name, TSD_KIND_FLOW, 0, (uint64_t)(id))
#define TSD_FLOW_STEP(name, id) TSD_POINT_(name, TSD_KIND_FLOW, 1, (uint64_t)(id))
#define TSD_FLOW_END(name, id) TSD_POINT_(name, TSD_KIND_FLOW, 2, (uint64_t)(id))
#define TSD_THREAD(name) tsd_thread_attach(name)

#define TSD_WITH_KEY_(key, call)                 \
  do {                                           \
    if (__builtin_expect(tsd_is_on() != 0, 0)) { \
      static tsd_key tsd_key_here_ = {key, 0};   \
      call;                                      \
    }                                            \
  } while (0)
#define TSD_ARGUMENT_(key, type, value) \
  TSD_WITH_KEY_(key, tsd_argument(&tsd_key_here_, type, value))
#define TSD_ARG_TEXT(key, pointer, length) \
  TSD_WITH_KEY_(key, tsd_argument_text(&tsd_key_here_, pointer, length))
#define TSD_ARG_I64(key, value) TSD_ARGUMENT_(key, TSD_I64, (uint64_t)(int64_t)(value))
#define TSD_ARG_U64(key, value) TSD_ARGUMENT_(key, TSD_U64, (uint64_t)(value))
#define TSD_ARG_F64(key, value) TSD_ARGUMENT_(key, TSD_F64, tsd_bits(value))
#define TSD_ARG_BOOL(key, value) TSD_ARGUMENT_(key, TSD_BOOL, (uint64_t)((value) ? 1 : 0))
#define TSD_ARG_POINTER(key, value) TSD_ARGUMENT_(key, TSD_POINTER, (uint64_t)(uintptr_t)(value))
#define TSD_STACK()                                                  \
  do {                                                               \
    if (__builtin_expect(tsd_is_on() != 0, 0)) tsd_stack_native(64); \
  } while (0)

#else /* TSD_DISABLE: what is called by name still compiles, and does nothing */

#define TSD_STUB_ static inline
TSD_STUB_ void tsd_config_default(tsd_config* config) {
  memset(config, 0, sizeof *config);
  config->size = sizeof *config;
}
TSD_STUB_ int tsd_init(const tsd_config* config) {
  return (void)config, 0;
}
TSD_STUB_ int tsd_start(void) {
  return 0;
}
TSD_STUB_ int tsd_stop(void) {
  return 0;
}
TSD_STUB_ void tsd_pause(void) {}
TSD_STUB_ void tsd_resume(void) {}
TSD_STUB_ int tsd_recording(void) {
  return 0;
}
TSD_STUB_ int tsd_set_filter(const char* include, const char* exclude) {
  return (void)include, (void)exclude, 0;
}
TSD_STUB_ void tsd_get_counts(tsd_counts* counts) {
  memset(counts, 0, sizeof *counts);
}
TSD_STUB_ void tsd_thread_attach(const char* name) {
  (void)name;
}
TSD_STUB_ void tsd_thread_detach(void) {}
TSD_STUB_ uint32_t tsd_string(const char* text, size_t length) {
  return (void)text, (void)length, 0;
}
TSD_STUB_ void tsd_enter_text(const char* name, size_t length) {
  (void)name, (void)length;
}
TSD_STUB_ void tsd_managed_enter(uint16_t assembly, uint32_t class_token, uint32_t method_token) {
  (void)assembly, (void)class_token, (void)method_token;
}
TSD_STUB_ void tsd_managed_exit(uint16_t assembly, uint32_t method_token) {
  (void)assembly, (void)method_token;
}
TSD_STUB_ void tsd_stack_native(int max_frames) {
  (void)max_frames;
}
TSD_STUB_ void tsd_stack_entries(int kind, const uint64_t* entries, int count) {
  (void)kind, (void)entries, (void)count;
}
TSD_STUB_ void tsd_modules_changed(void) {}
TSD_STUB_ void tsd_enter(tsd_site* site) {
  (void)site;
}
TSD_STUB_ void tsd_leave(void) {}
TSD_STUB_ void tsd_instant(tsd_site* site) {
  (void)site;
}
TSD_STUB_ void tsd_counter(tsd_site* site, double value) {
  (void)site, (void)value;
}

#define TSD_NOTHING_() ((void)0)
#define TSD_UNUSED_(value) /* what is there for the recorder only makes no warning */ \
  do {                                                                                \
    if (0) {                                                                          \
      (void)(value);                                                                  \
    }                                                                                 \
  } while (0)
#define TSD_ZONE_IN(category, name) TSD_NOTHING_()
#define TSD_ZONE(name) TSD_NOTHING_()
#define TSD_FUNCTION() TSD_NOTHING_()
#define TSD_ENTER(name) TSD_NOTHING_()
#define TSD_LEAVE() TSD_NOTHING_()
#define TSD_INSTANT(name) TSD_NOTHING_()
#define TSD_COUNTER(name, value) TSD_UNUSED_(value)
#define TSD_ASYNC_BEGIN(name, id) TSD_UNUSED_(id)
#define TSD_ASYNC_END(name, id) TSD_UNUSED_(id)
#define TSD_FLOW_BEGIN(name, id) TSD_UNUSED_(id)
#define TSD_FLOW_STEP(name, id) TSD_UNUSED_(id)
#define TSD_FLOW_END(name, id) TSD_UNUSED_(id)
#define TSD_THREAD(name) tsd_thread_attach(name)
#define TSD_ARG_TEXT(key, pointer, length) \
  do {                                     \
    TSD_UNUSED_(pointer);                  \
    TSD_UNUSED_(length);                   \
  } while (0)
#define TSD_ARG_I64(key, value) TSD_UNUSED_(value)
#define TSD_ARG_U64(key, value) TSD_UNUSED_(value)
#define TSD_ARG_F64(key, value) TSD_UNUSED_(value)
#define TSD_ARG_BOOL(key, value) TSD_UNUSED_(value)
#define TSD_ARG_POINTER(key, value) TSD_UNUSED_(value)
#define TSD_STACK() TSD_NOTHING_()

#endif
#ifdef __cplusplus
}
#endif
#endif
