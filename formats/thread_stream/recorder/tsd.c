/* The recorder behind tsd.h, all of it: copying two files is the product, so this one is long.
 * C99, and C++17 as well, since `g++ game.cc tsd.c` takes it for C++. Compile with -DTSD_LZ4 and
 * -llz4 for compressed dumps, with -DTSD_UNWIND for stacks without frame pointers.
 *
 * In order: memory, CRC, filters, clock, file and chunks, names, modules, threads, closing and
 * dumping, start and stop, the helper thread, signals and crashes, fork, configuration, the API.
 *
 * Two locks. `control` is held by whoever starts, stops, or does the helper's slow work; `lock`
 * guards all data and is held for microseconds, by recording threads too, so whoever takes it has
 * its lane's `busy` set (a handler on that thread must not wait for it) or all signals blocked. */
#ifdef TSD_LZ4
#define TSD_WITH_LZ4 1
#endif
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#include "tsd.h"

#ifdef TSD_DISABLE
typedef int tsd_is_no_empty_file;
#else

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#ifdef TSD_WITH_LZ4
#include <lz4frame.h>
#endif
#ifdef TSD_UNWIND
#include <unwind.h>
#endif

#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1u
#endif
enum {
  kMembarrierPrivate = 1 << 3,
  kMembarrierRegister = 1 << 4,
  kFutexWait = 128,
  kFutexWake = 129
};

enum {
  kHeader = 64,
  kSlot = 16,
  kPage = 4096,            /* of the file; larger pages round it up */
  kTableBytes = 64 * 1024, /* of an ordinary table chunk, header included */
  kOwnChunk = 64 * 1024,   /* that a thread makes for itself: it waits for no more than that */
  kLeastChunk = 16 * 1024, /* also of what is left of a chunk and used again */
  kLeastReady = 2,
  kMostReady = 32,
  kMostMapped = 8, /* of those that wait to be closed */
  kMostClosing = 32,
  kSignalStack = 64 * 1024,
  kMostText = 64 << 20, /* of all names; calls of further ones are counted as dropped */
  kModulesEveryMs = 100
};
enum { kChunkTable = 1, kChunkEvents = 2, kChunkPacked = 3, kFlagLz4 = 1, kFlagOpen = 2 };
enum {
  kEntryFact = 1,
  kEntryString,
  kEntrySite,
  kEntryThread,
  kEntryClock,
  kEntryModule,
  kEntryEnd = 11
};
enum { kFileExact = 1, kFileLive = 2, kFileCrash = 4 };
#define kNsPerS ((uint64_t)1000000000)
#define kNever UINT64_MAX
#define kSiteOut 0x80000000u

/* A piece of a file: a header, then slots or entries. In memory it is what it is in the file. */
typedef struct chunk {
  struct chunk* next;
  unsigned char* base;
  uint64_t offset;      /* in the file, where that is mapped */
  uint32_t bytes, used; /* used: slots of events, bytes of entries */
  uint32_t stream, sequence;
  uint64_t ordinal, begun;
} chunk;

typedef struct cached_name {
  struct cached_name* next; /* of the first one, while its thread needs none */
  const char* text;
  uint32_t length, string, site;
} cached_name;
enum { kCachedNames = 64 };

typedef struct tsd_thread {
  struct tsd_thread* next;
  tsd_lane* lane;         /* null once the thread has ended */
  chunk *oldest, *newest; /* those that were not handed over to be closed */
  chunk* current;         /* the newest, while there is room; else null */
  cached_name* names;
  uint64_t bytes;  /* of its chunks, against bytes_per_thread */
  uint64_t before; /* records written and lost before `current` */
  uint64_t lost, dropped, told_dropped, first_tick, last_tick, paused_tick;
  uint32_t stream, sequence, tid, named, flags;
} tsd_thread;
enum { kThreadExited = 1, kThreadMain = 2 };

/* In a lane's `left_out`: the last record is lost, and so is what belongs to it, but counted. */
#define LOST_RECORD ((tsd_slot*)(void*)&tsd_switch)

typedef struct text {
  const char* bytes;
  uint32_t length, hash, site; /* site: of tsd_enter_text */
} text;

typedef struct site {
  tsd_site* address; /* null for tsd_enter_text */
  uint32_t name, category, file, line, rgba, flags;
} site;

typedef struct module {
  uint32_t path, build_bytes;
  unsigned char build[32];
} module;

typedef struct growing { /* an array in a mapping of its own */
  unsigned char* at;
  size_t bytes;
} growing;

typedef struct rule { /* of a regular expression, see there */
  uint8_t op, c;
  int16_t a, b;
} rule;
enum { kMostRules = 1024, kMostSets = 64 };
typedef struct regex {
  rule rules[kMostRules];
  uint8_t sets[kMostSets][32];
  int rule_count, set_count, used;
} regex;

static struct recorder {
  tsd_config config;
  char path[PATH_MAX], include[1024], exclude[1024];
  int ready; /* tsd_init was called */
  int from_environment, barrier, system_pages;
  int active;                  /* a file is being recorded, paused or not */
  uint32_t recording, stretch; /* numbers of recordings, of starts and resumes */
  uint32_t nth;                /* recording of this process, for %n */
  uint64_t start_tick, start_ns, stop_at_ns, start_at_ns;
  const char* start_word;
  uint64_t ratio_num, ratio_den;

  int fd, pipe;
  dev_t device; /* of the file behind `fd`, see is_ours */
  ino_t inode;
  int header_fd; /* see copy_header */
  unsigned char* header;
  char file_name[PATH_MAX];
  uint64_t file_end, file_used, most_bytes; /* the last: that the system allows */
  uint32_t alignment;
  chunk **closing_end, **tables_end, *free_chunks;
  uint32_t ready_target;
  uint32_t entry_count, table_at;

  tsd_thread* free_threads;
  cached_name* free_names;
  tsd_counts last_counts;

  growing texts, text_index, sites, modules, segments;
  uint32_t text_count, text_slots, site_count, module_count;
  size_t text_bytes;
  regex wanted, unwanted;

  unsigned char* arena;
  size_t arena_left;

  uint64_t clock_due_ns, modules_due_ns;
  pthread_t helper;
  int ended;                                             /* at_exit was called */
  int has_helper, wake, wakes, quit, signalled, crashed; /* wakes: when the lock is given */
  pthread_key_t key;
  struct sigaction old_crash[NSIG];

  /* From here to the end all is zero when a recording begins. */
  int paused, full, write_error, told_limit;
  int making, stopping; /* chunks made or unmapped without the lock; no further ones */
  uint64_t memory_bytes, bytes_written;
  chunk *ready_chunks, *closing;
  uint32_t ready_count, taken, closing_count;
  chunk *table, *tables; /* `tables`: full ones that are dumped, in memory mode */
  chunk* spare_table;    /* for a full disk */
  tsd_thread* threads;
  uint32_t thread_count, snapshot, clock_samples;
  uint64_t homeless; /* dropped by threads that could not be attached */
  unsigned long long adds, subs;
} R;
static pthread_mutex_t recorder_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t control_lock = PTHREAD_MUTEX_INITIALIZER;

tsd_switch_state tsd_switch __attribute__((aligned(64)));
__thread tsd_lane tsd_this_lane __attribute__((tls_model("initial-exec"), aligned(64)));

/* Not instrumented, even if its user compiles all with -finstrument-functions; small but where
 * each record passes. */
#define QUIET_HOT __attribute__((no_instrument_function))
#ifdef __clang__ /* which makes rare functions no smaller by itself */
#define QUIET __attribute__((no_instrument_function, cold, minsize))
#else
#define QUIET __attribute__((no_instrument_function, cold))
#endif

/* --- What recording threads and signal handlers have to respect --------------------------------
 */

typedef struct call {
  int error, cancel;
} call;

QUIET static void set_limit(tsd_lane* lane, tsd_slot* limit) {
  __atomic_store_n(&lane->limit, limit, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* A handler that comes now records all it has to, or nothing: with a limit it could claim the last
 * slot for a begin and find none for the end. Before `busy` it may still get itself a new chunk. */
QUIET static void be_busy(tsd_lane* lane) {
  set_limit(lane, NULL);
  __atomic_store_n(&lane->busy, 1u, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  set_limit(lane, NULL);
}

/* False in a handler that interrupted the recorder: it must not wait for what it interrupted. */
QUIET static int begin_call(call* c) {
  if (__atomic_load_n(&tsd_this_lane.busy, __ATOMIC_RELAXED)) return 0;
  be_busy(&tsd_this_lane);
  c->error = errno;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &c->cancel); /* pwrite would be a place to end */
  return 1;
}

QUIET static void end_call(const call* c) {
  pthread_setcancelstate(c->cancel, NULL);
  errno = c->error;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&tsd_this_lane.busy, 0u, __ATOMIC_RELEASE);
}

QUIET static void take(pthread_mutex_t* mutex) {
  pthread_mutex_lock(mutex);
}
QUIET static void give(pthread_mutex_t* mutex) {
  pthread_mutex_unlock(mutex);
}

/* A system call only if it may sleep. */
QUIET static void wake_helper(void) {
  if (__atomic_exchange_n(&R.wake, 1, __ATOMIC_SEQ_CST)) return;
  syscall(SYS_futex, &R.wake, kFutexWake, 1, NULL, NULL, 0);
}

/* Who is woken may run at once and in the waker's place, so not before the lock is free. */
QUIET static void give_lock(void) {
  const int wakes = R.wakes;
  R.wakes = 0;
  pthread_mutex_unlock(&recorder_lock);
  if (wakes) wake_helper();
}

/* Of all but the helper, which has it most of the time and lets everybody else go first. */
static int control_wanted;
QUIET static void take_control(void) {
  __atomic_fetch_add(&control_wanted, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&control_lock);
  __atomic_fetch_sub(&control_wanted, 1, __ATOMIC_SEQ_CST);
}

/* A call that starts, stops or changes what is recorded; or one that takes `lock`. */
QUIET static int begin_control(call* c) {
  if (!begin_call(c)) return 0;
  take_control();
  return 1;
}
QUIET static void end_control(const call* c) {
  give(&control_lock);
  end_call(c);
}
QUIET static int begin_locked(call* c) {
  if (!begin_call(c)) return 0;
  take(&recorder_lock);
  return 1;
}
QUIET static void end_locked(const call* c) {
  give_lock();
  end_call(c);
}

QUIET static void say(const char* format, ...) __attribute__((format(printf, 1, 2)));
QUIET static void say(const char* format, ...) {
  char line[PATH_MAX + 256];
  int length;
  va_list args;
  memcpy(line, "tsd: ", 5);
  va_start(args, format);
  length = 5 + vsnprintf(line + 5, sizeof line - 6, format, args);
  va_end(args);
  if (length > (int)sizeof line - 2) length = (int)sizeof line - 2;
  line[length++] = '\n';
  if (write(2, line, (size_t)length) < 0) return;
}

/* --- Memory: mapped, never malloc, so handlers and hooks of malloc may record ------------------
 */

QUIET static size_t append_text(char* to, size_t at, size_t bytes, const char* what) {
  while (*what && at + 1 < bytes) to[at++] = *what++;
  to[at] = 0;
  return at;
}

QUIET static size_t page_up(size_t bytes) {
  const size_t below = (size_t)R.system_pages - 1;
  return (bytes + below) & ~below;
}

QUIET static unsigned char* map_memory(size_t bytes, int now) {
  void* at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | (now ? MAP_POPULATE : 0), -1, 0);
  return at == MAP_FAILED ? NULL : (unsigned char*)at;
}

/* Small things that live as long as the process. */
QUIET static void* keep(size_t bytes) {
  void* at;
  bytes = (bytes + 15) / 16 * 16;
  if (bytes > 64 * 1024) return map_memory(page_up(bytes), 0);
  if (R.arena_left < bytes) {
    unsigned char* block = map_memory(256 * 1024, 0);
    if (!block) return NULL;
    R.arena = block;
    R.arena_left = 256 * 1024;
  }
  at = R.arena;
  R.arena += bytes;
  R.arena_left -= bytes;
  return at;
}

QUIET static int grow(growing* array, size_t bytes) {
  size_t more = array->bytes ? array->bytes * 2 : 64 * 1024;
  void* at;
  if (bytes <= array->bytes) return 1;
  while (more < bytes) more *= 2;
  at = array->at ? mremap(array->at, array->bytes, more, MREMAP_MAYMOVE) : map_memory(more, 0);
  if (!at || at == MAP_FAILED) return 0;
  array->at = (unsigned char*)at;
  array->bytes = more;
  return 1;
}

QUIET static text* text_at(uint32_t id) {
  return (text*)(void*)R.texts.at + (id - 1);
}
QUIET static site* site_at(uint32_t id) {
  return (site*)(void*)R.sites.at + (id - 1);
}

QUIET static chunk* new_chunk(void) {
  chunk* c = R.free_chunks;
  if (c) {
    R.free_chunks = c->next;
    memset(c, 0, sizeof *c);
    return c;
  }
  return (chunk*)keep(sizeof(chunk));
}

QUIET static void forget_chunk(chunk* c) {
  c->next = R.free_chunks;
  R.free_chunks = c;
}

/* Files are little endian, as is every processor this runs on. */
QUIET static void put16(unsigned char* at, uint32_t v) {
  const uint16_t low = (uint16_t)v;
  memcpy(at, &low, sizeof low);
}
QUIET static void put32(unsigned char* at, uint32_t v) {
  memcpy(at, &v, sizeof v);
}
QUIET static void put64(unsigned char* at, uint64_t v) {
  memcpy(at, &v, sizeof v);
}

/* --- CRC-32 of zlib, eight bytes a step --------------------------------------------------------
 */

static uint32_t crc_table[8][256];

QUIET static void make_crc_table(void) {
  uint32_t i, k;
  for (i = 0; i < 256; i++) {
    uint32_t c = i;
    for (k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    crc_table[0][i] = c;
  }
  for (i = 0; i < 256; i++) {
    for (k = 1; k < 8; k++) {
      crc_table[k][i] = crc_table[k - 1][i] >> 8 ^ crc_table[0][crc_table[k - 1][i] & 255];
    }
  }
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define MULTIPLY(a, k, which) _mm_clmulepi64_si128(a, k, which)
#define FOLD(x, k, with) \
  _mm_xor_si128(_mm_xor_si128(MULTIPLY(x, k, 0x11), MULTIPLY(x, k, 0x00)), with)
/* 64 bytes at a time by carry-less multiplication ("Fast CRC Computation for Generic Polynomials
 * Using PCLMULQDQ Instruction", Intel 2009); bytes is a multiple of 16, and at least 64. */
__attribute__((target("sse4.1,pclmul"))) QUIET_HOT static uint32_t crc32_folded(
    const unsigned char* at, size_t bytes, uint32_t c) {
  const __m128i by_64 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
  const __m128i by_16 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
  const __m128i last = _mm_set_epi64x(0, 0x0163cd6124);
  const __m128i polynomial = _mm_set_epi64x(0x01f7011641, 0x01db710641);
  const __m128i low = _mm_setr_epi32(-1, 0, -1, 0);
  __m128i x[4], y;
  int i;
#define LOAD(n) _mm_loadu_si128((const __m128i*)(const void*)at + (n))
  for (i = 0; i < 4; i++) x[i] = LOAD(i);
  x[0] = _mm_xor_si128(x[0], _mm_cvtsi32_si128((int)c));
  for (at += 64, bytes -= 64; bytes >= 64; at += 64, bytes -= 64) {
    for (i = 0; i < 4; i++) x[i] = FOLD(x[i], by_64, LOAD(i));
  }
  for (i = 1; i < 4; i++) x[0] = FOLD(x[0], by_16, x[i]);
  for (; bytes >= 16; at += 16, bytes -= 16) x[0] = FOLD(x[0], by_16, LOAD(0));
#undef LOAD
  y = _mm_xor_si128(_mm_srli_si128(x[0], 8), MULTIPLY(x[0], by_16, 0x10));
  y = _mm_xor_si128(_mm_srli_si128(y, 4), MULTIPLY(_mm_and_si128(y, low), last, 0x00));
  x[1] = MULTIPLY(_mm_and_si128(y, low), polynomial, 0x10);
  y = _mm_xor_si128(y, MULTIPLY(_mm_and_si128(x[1], low), polynomial, 0x00));
  return (uint32_t)_mm_extract_epi32(y, 1);
}
#undef FOLD
#undef MULTIPLY
#endif

QUIET_HOT static uint32_t crc32_of(const void* data, size_t bytes) {
  const unsigned char* at = (const unsigned char*)data;
  uint32_t c = 0xffffffffu;
#if defined(__x86_64__) && defined(__GNUC__)
  if (bytes >= 256 && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1")) {
    const size_t part = bytes / 16 * 16;
    c = crc32_folded(at, part, c);
    at += part;
    bytes -= part;
  }
#endif
  for (; bytes >= 8; bytes -= 8, at += 8) {
    uint64_t word;
    int k;
    memcpy(&word, at, 8);
    word ^= c;
    for (c = 0, k = 7; k >= 0; k--, word >>= 8) c ^= crc_table[k][word & 255];
  }
  for (; bytes; bytes--) c = c >> 8 ^ crc_table[0][(c ^ *at++) & 255];
  return ~c;
}

/* --- Filters: extended regular expressions ----------------------------------------------------- *
 * regexec() takes memory from malloc, which a site that registers in a signal handler must not. So
 * the expression becomes a program whose jumps are relative (a part can be copied for {m,n}), and
 * all ways through it are followed at once: time is length of the text times length of the program.
 */

enum { kChar, kAny, kSet, kSplit, kJump, kBegin, kEnd, kMatch };
typedef struct parser {
  const char* at;
  regex* to;
  int wrong;
} parser;

QUIET static void emit(parser* p, uint8_t op, int a, int b) {
  rule* r;
  if (p->to->rule_count >= kMostRules - 1) {
    p->wrong = 1;
    return;
  }
  r = &p->to->rules[p->to->rule_count++];
  r->op = op;
  r->c = (uint8_t)a;
  r->a = (int16_t)a;
  r->b = (int16_t)b;
}

QUIET static void emit_before(parser* p, int place, uint8_t op, int a, int b) {
  rule* rules = p->to->rules;
  emit(p, op, a, b);
  if (p->wrong) return;
  {
    const rule last = rules[p->to->rule_count - 1];
    memmove(rules + place + 1, rules + place,
            (size_t)(p->to->rule_count - 1 - place) * sizeof(rule));
    rules[place] = last;
  }
}

QUIET static void copy_rules(parser* p, const rule* from, int count) {
  int i;
  for (i = 0; i < count && !p->wrong; i++) {
    emit(p, from[i].op, from[i].a, from[i].b);
    if (!p->wrong) p->to->rules[p->to->rule_count - 1] = from[i];
  }
}

typedef struct letters {
  char name[7], ranges[9]; /* first and last of each */
} letters;

/* Null if there is no class of that name. */
QUIET static const char* letters_of(const char* name, size_t length) {
  static const letters all[] = {
      {"alpha", "AZaz"},   {"digit", "09"},      {"alnum", "09AZaz"},
      {"lower", "az"},     {"upper", "AZ"},      {"space", "\t\r  "},
      {"blank", "\t\t  "}, {"xdigit", "09AFaf"}, {"punct", "!/:@[`{~"},
      {"print", " ~"},     {"graph", "!~"},      {"cntrl", "\001\037\177\177"}};
  size_t i;
  for (i = 0; i < sizeof all / sizeof *all; i++) {
    if (strlen(all[i].name) == length && memcmp(all[i].name, name, length) == 0) {
      return all[i].ranges;
    }
  }
  return NULL;
}

QUIET static void add_letters(uint8_t* set, int from, int to) {
  for (; from <= to; from++) set[from / 8] |= (uint8_t)(1 << from % 8);
}

QUIET static void parse_set(parser* p) { /* behind the [ */
  uint8_t* set;
  int inverted = 0, first = 1, i;
  if (p->to->set_count == kMostSets) {
    p->wrong = 1;
    return;
  }
  set = p->to->sets[p->to->set_count];
  memset(set, 0, 32);
  if (*p->at == '^') inverted = 1, p->at++;
  for (;; first = 0) {
    int from = (unsigned char)*p->at, to;
    if (from == 0 || (from == ']' && !first)) break;
    if (from == '[' && p->at[1] == ':') {
      const char *name = p->at + 2, *end = strstr(name, ":]");
      const char* range = end ? letters_of(name, (size_t)(end - name)) : NULL;
      if (!range) {
        p->wrong = 1;
        return;
      }
      for (; *range; range += 2) add_letters(set, range[0], range[1]);
      p->at = end + 2;
      continue;
    }
    p->at++;
    to = from;
    if (*p->at == '-' && p->at[1] != ']' && p->at[1]) {
      to = (unsigned char)p->at[1];
      p->at += 2;
    }
    add_letters(set, from, to);
  }
  if (*p->at != ']') {
    p->wrong = 1;
    return;
  }
  p->at++;
  if (inverted) {
    for (i = 0; i < 32; i++) set[i] = (uint8_t)~set[i];
  }
  emit(p, kSet, p->to->set_count++, 0);
}

QUIET static void parse_either(parser* p, int depth);

QUIET static void parse_repeat(parser* p, int place) {
  for (;;) {
    const int length = p->to->rule_count - place;
    int least = 0, most = -1, i;
    rule part[kMostRules / 4];
    switch (*p->at) {
      case '*':
        break;
      case '+':
        least = 1;
        break;
      case '?':
        most = 1;
        break;
      case '{':
        p->at++;
        for (; *p->at >= '0' && *p->at <= '9' && least < 1000; p->at++)
          least = least * 10 + *p->at - '0';
        if (*p->at == ',') {
          p->at++;
          if (*p->at != '}') {
            for (most = 0; *p->at >= '0' && *p->at <= '9' && most < 1000; p->at++)
              most = most * 10 + *p->at - '0';
          }
        } else {
          most = least;
        }
        if (*p->at != '}' || (most >= 0 && most < least)) p->wrong = 1;
        break;
      default:
        return;
    }
    if (p->wrong || length > kMostRules / 4) {
      p->wrong = 1;
      return;
    }
    p->at++;
    memcpy(part, p->to->rules + place, (size_t)length * sizeof(rule));
    p->to->rule_count = place;
    for (i = 0; i < least; i++) copy_rules(p, part, length);
    if (most < 0) {
      emit(p, kSplit, 1, length + 2);
      copy_rules(p, part, length);
      emit(p, kJump, -(length + 1), 0);
    }
    for (i = least; i < most; i++) {
      emit(p, kSplit, 1, length + 1);
      copy_rules(p, part, length);
    }
  }
}

QUIET static void parse_sequence(parser* p, int depth) {
  while (!p->wrong && *p->at && *p->at != '|' && *p->at != ')') {
    const int place = p->to->rule_count;
    const char c = *p->at++;
    switch (c) {
      case '(':
        parse_either(p, depth + 1);
        if (*p->at != ')')
          p->wrong = 1;
        else
          p->at++;
        break;
      case '[':
        parse_set(p);
        break;
      case '*':
      case '+':
      case '?':
      case '{':
        p->wrong = 1;
        break;
      case '\\':
        if (!*p->at)
          p->wrong = 1;
        else
          emit(p, kChar, (unsigned char)*p->at++, 0);
        break;
      default:
        emit(p, c == '.' ? kAny : c == '^' ? kBegin : c == '$' ? kEnd : kChar, (unsigned char)c, 0);
    }
    if (!p->wrong) parse_repeat(p, place);
  }
}

QUIET static void parse_either(parser* p, int depth) {
  const int place = p->to->rule_count;
  if (depth > 32) p->wrong = 1;
  parse_sequence(p, depth);
  while (!p->wrong && *p->at == '|') {
    const int length = p->to->rule_count - place;
    int second;
    p->at++;
    emit_before(p, place, kSplit, 1, length + 2);
    emit(p, kJump, 0, 0);
    second = p->to->rule_count;
    parse_sequence(p, depth);
    if (!p->wrong) p->to->rules[second - 1].a = (int16_t)(p->to->rule_count - second + 1);
  }
}

/* False if it is none; an empty expression is not used. */
QUIET static int make_regex(regex* to, const char* expression) {
  parser p;
  memset(to, 0, sizeof *to);
  if (!expression || !*expression) return 1;
  p.at = expression;
  p.to = to;
  p.wrong = 0;
  parse_either(&p, 0);
  if (*p.at) p.wrong = 1;
  if (p.wrong) {
    memset(to, 0, sizeof *to);
    return 0;
  }
  to->rules[to->rule_count++].op = kMatch;
  to->used = 1;
  return 1;
}

typedef struct rule_set {
  uint64_t bits[kMostRules / 64];
} rule_set;

/* Adds a rule and all that is reached from it without a letter; true if that is the match. */
QUIET static int add_rule(const regex* r, rule_set* set, int first, int at_begin, int at_end) {
  int16_t waiting[kMostRules];
  int count = 0, found = 0;
#define ADD(place)                                      \
  do {                                                  \
    const int at_ = (place);                            \
    if (!(set->bits[at_ >> 6] >> (at_ & 63) & 1)) {     \
      set->bits[at_ >> 6] |= (uint64_t)1 << (at_ & 63); \
      waiting[count++] = (int16_t)at_;                  \
    }                                                   \
  } while (0)
  ADD(first);
  while (count) {
    const int at = waiting[--count];
    const rule* rule_here = &r->rules[at];
    switch (rule_here->op) {
      case kSplit:
        ADD(at + rule_here->a);
        ADD(at + rule_here->b);
        break;
      case kJump:
        ADD(at + rule_here->a);
        break;
      case kBegin:
        if (at_begin) ADD(at + 1);
        break;
      case kEnd:
        if (at_end) ADD(at + 1);
        break;
      case kMatch:
        found = 1;
        break;
      default:
        break;
    }
  }
#undef ADD
  return found;
}

QUIET static int matches(const regex* r, const char* subject, size_t length) {
  rule_set now, then;
  size_t i;
  memset(&now, 0, sizeof now);
  for (i = 0;; i++) {
    int at, word;
    if (add_rule(r, &now, 0, i == 0, i == length)) return 1;
    if (i == length) return 0;
    memset(&then, 0, sizeof then);
    for (word = 0; word <= (r->rule_count - 1) / 64; word++) {
      uint64_t bits = now.bits[word];
      for (; bits; bits &= bits - 1) {
        const rule* here;
        const int c = (unsigned char)subject[i];
        int passes = 0;
        at = word * 64 + __builtin_ctzll(bits);
        here = &r->rules[at];
        if (here->op == kAny) passes = 1;
        if (here->op == kChar) passes = here->c == c;
        if (here->op == kSet) passes = r->sets[here->a][c / 8] >> c % 8 & 1;
        if (passes && add_rule(r, &then, at + 1, 0, i + 1 == length)) return 1;
      }
    }
    now = then;
  }
}

/* A category that begins with "off." is for what must be asked for by name. */
QUIET static int is_wanted(const char* category, const char* name) {
  char subject[512] = "";
  const size_t category_bytes = category ? strlen(category) : 0,
               name_bytes = name ? strlen(name) : 0;
  const int off = category_bytes >= 4 && memcmp(category, "off.", 4) == 0;
  size_t length = 0;
  if (!R.wanted.used && !R.unwanted.used) return !off;
  if (category_bytes) {
    length = category_bytes < 255 ? category_bytes : 255;
    memcpy(subject, category, length);
    if (off && !(R.wanted.used && matches(&R.wanted, subject, length))) return 0;
    subject[length++] = '/';
  }
  if (name_bytes) {
    const size_t part = name_bytes < sizeof subject - length ? name_bytes : sizeof subject - length;
    memcpy(subject + length, name, part);
    length += part;
  }
  if (R.unwanted.used && matches(&R.unwanted, subject, length)) return 0;
  return off || !R.wanted.used || matches(&R.wanted, subject, length);
}

/* --- Clock -------------------------------------------------------------------------------------
 */

QUIET_HOT static uint64_t system_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * kNsPerS + (uint64_t)now.tv_nsec;
}
QUIET_HOT static uint64_t now_ns(void) {
  return system_ns(CLOCK_MONOTONIC);
}

QUIET_HOT uint64_t tsd_clock_system(void) {
  return now_ns();
}

QUIET static size_t read_text(const char* path, char* to, size_t bytes) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? 0 : read(fd, to, bytes - 1);
  if (fd >= 0) close(fd);
  if (got < 0) got = 0;
  while (got > 0 && (to[got - 1] == '\n' || to[got - 1] == ' ')) got--;
  to[got] = 0;
  return (size_t)got;
}

/* The counter has to tick at one speed on all cores, and if the kernel does not trust it, it does
 * not. */
QUIET static int counter_is_good(int wanted) {
#if defined(__x86_64__)
  uint32_t a = 0x80000000u, b = 0, c = 0, d = 0;
  char source[64];
  __asm__ __volatile__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  if (a < 0x80000007u) return 0;
  a = 0x80000007u;
  c = 0;
  __asm__ __volatile__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  if (!(d >> 8 & 1)) return 0;
  if (wanted == TSD_CLOCK_TSC) return 1;
  read_text("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
            sizeof source);
  return strcmp(source, "tsc") == 0;
#elif defined(__aarch64__)
  (void)wanted;
  return 1;
#else
  (void)wanted;
  return 0;
#endif
}

typedef struct moment {
  uint64_t tick, mono_ns, wall_ns;
  uint32_t uncertain_ns;
} moment;

/* The best of five: between two reads of the counter lies one of the system's clock. */
QUIET static moment take_moment(void) {
  moment best;
  uint64_t least = kNever;
  int i;
  memset(&best, 0, sizeof best);
  for (i = 0; i < 5; i++) {
    const uint64_t before = tsd_clock(), mono = now_ns(), after = tsd_clock();
    if (after - before < least) {
      least = after - before;
      best.tick = before + (after - before) / 2;
      best.mono_ns = mono;
    }
  }
  if (!tsd_switch.tsc) {
    best.tick = best.mono_ns;
    least = 0;
  }
  best.wall_ns = system_ns(CLOCK_REALTIME) - now_ns() + best.mono_ns;
  best.uncertain_ns = (uint32_t)(R.ratio_den ? least / 2 * R.ratio_num / R.ratio_den : least / 2);
  return best;
}

QUIET static void choose_clock(void) {
  const int counter = R.config.clock != TSD_CLOCK_MONOTONIC && counter_is_good(R.config.clock);
  __atomic_store_n(&tsd_switch.tsc, (uint32_t)counter, __ATOMIC_RELAXED);
  R.ratio_num = R.ratio_den = 1;
  if (!counter) return;
#if defined(__aarch64__)
  {
    uint64_t frequency;
    __asm__ __volatile__("mrs %0, cntfrq_el0" : "=r"(frequency));
    R.ratio_num = kNsPerS;
    R.ratio_den = frequency ? frequency : 1;
  }
#else
  { /* good enough for a program that is killed before its second CLOCK entry */
    const moment first = take_moment();
    moment last;
    while (now_ns() - first.mono_ns < 200000) {
    }
    last = take_moment();
    R.ratio_num = last.mono_ns - first.mono_ns;
    R.ratio_den = last.tick - first.tick ? last.tick - first.tick : 1;
  }
#endif
}

/* --- The file and its chunks -------------------------------------------------------------------
 */

QUIET static void say_error(const char* what, const char* then) {
  say("%s: %s: %s", R.file_name, what, then);
}

/* A program may close what it has not opened, and its next file gets the number of ours. */
QUIET static int is_ours(void) {
  struct stat now;
  if (R.fd >= 0) {
    if (fstat(R.fd, &now) == 0 && now.st_ino == R.inode && now.st_dev == R.device) return 1;
    R.full = 1;
    R.write_error = EBADF;
    /* Of threads that find it out at once, one says so. */
    if (__atomic_exchange_n(&R.fd, -1, __ATOMIC_ACQ_REL) >= 0) {
      say_error("closed by the program", "the rest is not written");
    }
  }
  errno = EBADF;
  return 0;
}

/* Not that of a file that was closed meanwhile: is_ours() has said it. */
QUIET static int is_news(int error) {
  return error != EBADF || is_ours();
}

/* Under a number that few programs come to. */
QUIET static int keep_file(int fd) {
  struct stat now;
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, 700);
  R.fd = fd;
  if (high >= 0) {
    close(fd);
    R.fd = high;
  }
  if (fstat(R.fd, &now) != 0) return -errno;
  R.inode = now.st_ino;
  R.device = now.st_dev;
  return 0;
}

QUIET static void close_file(void) {
  if (is_ours()) close(R.fd);
  R.fd = -1;
}

/* A reader that is gone, or a limit, ends no program: its signal is taken away again. */
QUIET static int write_all(const void* data, size_t bytes) {
  static const struct timespec none = {0, 0};
  const unsigned char* at = (const unsigned char*)data;
  sigset_t ours, before;
  sigemptyset(&ours);
  sigaddset(&ours, SIGPIPE);
  sigaddset(&ours, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &ours, &before);
  while (bytes && !R.write_error) {
    const ssize_t done = is_ours() ? write(R.fd, at, bytes) : -1;
    if (done >= 0) {
      at += done;
      bytes -= (size_t)done;
      R.bytes_written += (uint64_t)done;
    } else if (errno != EINTR && is_news(errno) && !R.write_error) {
      R.write_error = errno;
      say_error(strerror(errno), "the rest is not written");
    }
  }
  while (sigtimedwait(&ours, NULL, &none) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return bytes == 0;
}

QUIET static int is_live(void) {
  return R.config.mode == TSD_LIVE;
}

QUIET static void make_file_header(unsigned char* to, int flags) {
  static const unsigned char magic[8] = {0x89, 'T', 'S', 'D', 0x0d, 0x0a, 0x1a, 0x0a};
  memset(to, 0, kHeader);
  memcpy(to, magic, 8);
  put16(to + 8, 1);
  put16(to + 12, kHeader);
  to[14] = sizeof(void*);
  if (!tsd_switch.tsc) flags |= kFileExact;
  if (is_live()) flags |= kFileLive;
  to[15] = (unsigned char)flags;
  put32(to + 16, R.alignment);
  put64(to + 24, (uint64_t)getpid());
  put64(to + 32, R.ratio_num);
  put64(to + 40, R.ratio_den);
  put32(to + 60, crc32_of(to, 60));
}

typedef struct chunk_header { /* as it is in the file */
  char magic[4];
  uint16_t kind, flags;
  uint32_t stored, full, stream, sequence;
  uint64_t ordinal, first, last;
  uint32_t count, none, crc, own_crc;
} chunk_header;

QUIET static chunk_header header_of_table(int flags, uint32_t bytes) {
  chunk_header h;
  memset(&h, 0, sizeof h);
  h.kind = kChunkTable;
  h.flags = (uint16_t)flags;
  h.stored = h.full = bytes;
  return h;
}

QUIET static chunk_header header_of_events(const chunk* c, int flags, uint32_t slots) {
  chunk_header h;
  memset(&h, 0, sizeof h);
  h.kind = kChunkEvents;
  h.flags = (uint16_t)flags;
  h.stored = h.full = slots * kSlot;
  h.stream = c->stream;
  h.sequence = c->sequence;
  h.ordinal = c->ordinal;
  h.first = c->begun;
  return h;
}

QUIET static void finish_header(chunk_header* h) {
  memcpy(h->magic, "TSCK", 4);
  h->own_crc = crc32_of(h, 60);
}

/* A process that is killed must leave the old header or the new one, so the kernel copies it: out
 * of a file in memory, since a write to the recording waits for whoever extends that. With `lock`.
 */
QUIET static void copy_header(chunk* c, const chunk_header* bytes) {
  if (R.header) {
    memcpy(R.header, bytes, kHeader);
    if (pread(R.header_fd, c->base, kHeader, 0) == kHeader &&
        memcmp(c->base, bytes, kHeader) == 0) {
      return;
    }
  }
  if (is_ours() && pwrite(R.fd, bytes, kHeader, (off_t)c->offset) == kHeader) return;
  memcpy(c->base, bytes, kHeader); /* both files were closed by the program */
}

QUIET static void open_header_file(void) {
  void* at;
  if (R.header || !is_live()) return;
  R.header_fd = (int)syscall(SYS_memfd_create, "tsd", MFD_CLOEXEC);
  if (R.header_fd < 0) return;
  at = ftruncate(R.header_fd, R.system_pages) != 0
           ? MAP_FAILED
           : mmap(NULL, (size_t)R.system_pages, PROT_READ | PROT_WRITE, MAP_SHARED, R.header_fd, 0);
  if (at == MAP_FAILED)
    close(R.header_fd);
  else
    R.header = (unsigned char*)at;
}

QUIET static void set_header(chunk* c, chunk_header* h) {
  finish_header(h);
  if (is_live())
    copy_header(c, h);
  else
    memcpy(c->base, h, kHeader);
}

/* By writing, so that a full disk shows here and not when a mapped page is touched: the kernel
 * takes larger pieces of memory for that than for pages one by one. */
QUIET static int extend_file(uint64_t offset, size_t bytes) {
  static unsigned char zeros[kOwnChunk]; /* never written: all of it is one page */
  if (!is_ours()) return 0;
  while (bytes) {
    const ssize_t done =
        pwrite(R.fd, zeros, bytes < sizeof zeros ? bytes : sizeof zeros, (off_t)offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      if (done == 0) errno = ENOSPC;
      return 0;
    }
    offset += (uint64_t)done;
    bytes -= (size_t)done;
  }
  return 1;
}

/* `more` is for what is to be said of events, to the last entry, when these have no room any more.
 */
QUIET static int has_room(size_t bytes, uint64_t more) {
  const uint64_t all = (is_live() ? R.file_end : R.memory_bytes) + bytes;
  return !R.full && all <= R.config.bytes_total + more && all <= R.most_bytes;
}

QUIET static void punch(uint64_t offset, size_t bytes) {
  if (is_ours())
    fallocate(R.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}

/* With `lock` held, which is given up meanwhile if `release`; null if there is no room. */
QUIET static chunk* make_chunk(size_t bytes, int release) {
  const int live = is_live();
  const uint32_t recording = R.recording; /* another one in a child */
  unsigned char* base = NULL;
  uint64_t offset = 0;
  chunk* c;
  int failed = 0;
  if (!has_room(bytes, release ? 0 : R.config.bytes_total / 4 + (1 << 20)) ||
      (release && R.stopping)) {
    return NULL;
  }
  if (live) {
    offset = R.file_end;
    R.file_end += bytes;
  }
  R.memory_bytes += bytes;
  if (release) {
    R.making++;
    give_lock();
  }
  if (!live) {
    base = map_memory(bytes, 1);
    if (!base) failed = ENOMEM;
  } else if (!extend_file(offset, bytes)) {
    failed = errno;
  } else {
    void* at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, R.fd, (off_t)offset);
    if (at == MAP_FAILED) {
      failed = errno;
    } else { /* the first touch costs more than the zones that fill a page */
      size_t i;
      base = (unsigned char*)at;
      for (i = 0; i < bytes; i += (size_t)R.system_pages) *(volatile unsigned char*)(base + i) = 0;
    }
  }
  if (release) {
    take(&recorder_lock);
    if (R.recording == recording) R.making--;
  }
  c = failed ? NULL : new_chunk();
  if (!c) {
    if (live && R.file_end == offset + bytes) R.file_end = offset;
    R.memory_bytes -= bytes;
    if (base) munmap(base, bytes);
    if (!failed) failed = ENOMEM;
    if (!R.full && release && R.recording == recording && is_news(failed)) {
      say_error(strerror(failed), "records are lost from here on");
    }
    if (live && release && !R.full && R.recording == recording && !R.spare_table)
      R.spare_table = make_chunk(kPage, 0); /* for what there is to say at the end */
    R.full = 1;
    return NULL;
  }
  c->base = base;
  c->offset = offset;
  c->bytes = (uint32_t)bytes;
  return c;
}

QUIET static uint32_t slots_in(const chunk* c) {
  return (c->bytes - kHeader) / kSlot;
}
QUIET_HOT static tsd_slot* slots_of(const chunk* c) {
  return (tsd_slot*)(void*)(c->base + kHeader);
}

QUIET static void release_chunk(chunk* c) {
  munmap(c->base, c->bytes);
  R.memory_bytes -= c->bytes < R.memory_bytes ? c->bytes : R.memory_bytes;
  forget_chunk(c);
}

/* What of the file is in use, so that what was only made ready can be cut off. */
QUIET static void note_used(const chunk* c, size_t bytes) {
  if (c->offset + bytes > R.file_used) R.file_used = c->offset + bytes;
}

/* Short-lived threads leave most of their chunk; whole pages behind what is used serve the next
 * one. */
QUIET static void split_chunk(chunk* c) {
  const size_t used = page_up(kHeader + (size_t)c->used * kSlot);
  chunk* rest;
  if (c->bytes < used + kLeastChunk || R.ready_count >= R.ready_target + kLeastReady) return;
  rest = new_chunk();
  if (!rest) return;
  rest->base = c->base + used;
  rest->offset = c->offset + used;
  rest->bytes = c->bytes - (uint32_t)used;
  rest->next = R.ready_chunks;
  R.ready_chunks = rest;
  R.ready_count++;
  c->bytes = (uint32_t)used;
}

/* --- Names: entries of the table ---------------------------------------------------------------
 */

QUIET static void close_table(void) {
  chunk* c = R.table;
  chunk_header h;
  if (!c) return;
  R.table = NULL;
  c->used = R.table_at;
  h = header_of_table(0, R.table_at);
  h.count = R.entry_count;
  h.crc = crc32_of(c->base + kHeader, R.table_at);
  set_header(c, &h);
  if (is_live()) {
    note_used(c, kHeader + c->used);
    release_chunk(c);
  } else {
    *R.tables_end = c;
    R.tables_end = &c->next;
  }
}

/* Room for an entry's body, all zero; null if the file or memory is full. */
QUIET static unsigned char* begin_entry(size_t body) {
  const size_t bytes = (8 + body + 7) / 8 * 8;
  if (!R.table || R.table_at + bytes > R.table->bytes - kHeader) {
    chunk_header h;
    chunk* c = make_chunk(
        page_up(bytes + kHeader > kTableBytes ? bytes + kHeader : (size_t)kTableBytes), 0);
    if (!c && R.spare_table && bytes + kHeader <= R.spare_table->bytes) {
      c = R.spare_table;
      R.spare_table = NULL;
    }
    if (!c) return NULL;
    close_table();
    h = header_of_table(kFlagOpen, c->bytes - kHeader);
    set_header(c, &h);
    R.table = c;
    R.table_at = R.entry_count = 0;
  }
  return R.table->base + kHeader + R.table_at + 8;
}

/* The size is written last: before it the entry is not there. */
QUIET static void end_entry(uint32_t tag, size_t body) {
  unsigned char* at = R.table->base + kHeader + R.table_at;
  const uint32_t bytes = (uint32_t)((8 + body + 7) / 8 * 8);
  put16(at + 4, tag);
  __atomic_store_n((uint32_t*)(void*)at, bytes, __ATOMIC_RELEASE);
  R.table_at += bytes;
  R.entry_count++;
}

QUIET static void write_fact(const char* key, const char* value) {
  const size_t key_bytes = strlen(key), value_bytes = strlen(value);
  unsigned char* at = begin_entry(8 + key_bytes + value_bytes);
  if (!at) return;
  put32(at, (uint32_t)key_bytes);
  put32(at + 4, (uint32_t)value_bytes);
  memcpy(at + 8, key, key_bytes);
  memcpy(at + 8 + key_bytes, value, value_bytes);
  end_entry(kEntryFact, 8 + key_bytes + value_bytes);
}

QUIET static void write_string(uint32_t id) {
  const text* t = text_at(id);
  unsigned char* at = begin_entry(8 + (size_t)t->length);
  if (!at) return;
  put32(at, id);
  put32(at + 4, t->length);
  memcpy(at + 8, t->bytes, t->length);
  end_entry(kEntryString, 8 + (size_t)t->length);
}

QUIET static int write_site(uint32_t id) {
  const site* s = site_at(id);
  unsigned char* at = begin_entry(28);
  if (!at) return 0;
  put32(at, id);
  put32(at + 4, s->name);
  put32(at + 8, s->category);
  put32(at + 12, s->file);
  put32(at + 16, s->line);
  put32(at + 20, s->rgba);
  put32(at + 24, s->flags);
  end_entry(kEntrySite, 28);
  return 1;
}

QUIET static void write_moment(const moment* m) {
  unsigned char* at = begin_entry(32);
  if (!at) return;
  put64(at, m->tick);
  put64(at + 8, m->mono_ns);
  put64(at + 16, m->wall_ns);
  put32(at + 24, m->uncertain_ns);
  end_entry(kEntryClock, 32);
}

QUIET_HOT static uint32_t hash_of(const char* bytes, size_t length) {
  uint64_t h = 0xcbf29ce484222325u;
  size_t i;
  for (i = 0; i < length; i++) h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  return (uint32_t)(h ^ h >> 32);
}

QUIET static int rehash(uint32_t slots) {
  growing index;
  uint32_t i, *to;
  memset(&index, 0, sizeof index);
  if (!grow(&index, (size_t)slots * 4)) return 0;
  to = (uint32_t*)(void*)index.at;
  for (i = 1; i <= R.text_count; i++) {
    uint32_t at = text_at(i)->hash & (slots - 1);
    while (to[at]) at = (at + 1) & (slots - 1);
    to[at] = i;
  }
  if (R.text_index.at) munmap(R.text_index.at, R.text_index.bytes);
  R.text_index = index;
  R.text_slots = slots;
  return 1;
}

/* Ids last as long as the process: each recording is given all of them. */
QUIET static uint32_t intern(const char* bytes, size_t length) {
  const uint32_t hash = hash_of(bytes, length);
  uint32_t at, id;
  char* copy;
  text* t;
  if (length > 1024 * 1024) length = 1024 * 1024; /* what readers take */
  if (R.text_count * 2 >= R.text_slots && !rehash(R.text_slots ? R.text_slots * 2 : 4096)) return 0;
  for (at = hash & (R.text_slots - 1);; at = (at + 1) & (R.text_slots - 1)) {
    id = ((uint32_t*)(void*)R.text_index.at)[at];
    if (!id) break;
    t = text_at(id);
    if (t->hash == hash && t->length == length && memcmp(t->bytes, bytes, length) == 0) return id;
  }
  if (R.text_count >= 0xfffff0 || R.text_bytes > kMostText) return 0; /* keys have 24 bits */
  if (!grow(&R.texts, (size_t)(R.text_count + 1) * sizeof(text)) ||
      (R.active && (R.full || !begin_entry(8 + length)))) {
    return 0; /* what is kept stays for good, so only if it can be written */
  }
  copy = (char*)keep(length + 1);
  if (!copy) return 0;
  memcpy(copy, bytes, length);
  copy[length] = 0;
  t = text_at(R.text_count + 1);
  t->bytes = copy;
  t->length = (uint32_t)length;
  t->hash = hash;
  t->site = 0;
  R.text_bytes += length;
  R.text_count++;
  if (R.active) write_string(R.text_count);
  ((uint32_t*)(void*)R.text_index.at)[at] = R.text_count;
  return R.text_count;
}

/* Of a site; 0 for none, -1 if there is no room. */
QUIET static int64_t intern_text(const char* bytes) {
  uint32_t id;
  if (!bytes || !*bytes) return 0;
  id = intern(bytes, strlen(bytes));
  return id ? (int64_t)id : -1;
}

/* The id, with the high bit if it is left out; 0 if there is no room. */
QUIET static uint32_t add_site(tsd_site* address, const char* name, const char* category,
                               const char* file, uint32_t line, uint32_t rgba) {
  const int64_t name_id = intern_text(name), category_id = intern_text(category),
                file_id = intern_text(file);
  const int wanted = is_wanted(category, name);
  site* s;
  if (name_id < 0 || category_id < 0 || file_id < 0 || R.site_count >= kSiteOut - 2) return 0;
  if (!grow(&R.sites, (size_t)(R.site_count + 1) * sizeof(site))) return 0;
  s = site_at(R.site_count + 1);
  s->address = address;
  s->name = (uint32_t)name_id;
  s->category = (uint32_t)category_id;
  s->file = (uint32_t)file_id;
  s->line = line;
  s->rgba = rgba;
  s->flags = wanted ? 0 : 1;
  if (R.active && !write_site(R.site_count + 1)) return 0;
  R.site_count++;
  return wanted ? R.site_count : R.site_count | kSiteOut;
}

QUIET static const char* text_or_none(uint32_t id) {
  return id ? text_at(id)->bytes : NULL;
}

/* Whether a struct that registered may still be looked at: its library may be gone, and other data
 * in its place. The caller is within dl_iterate_phdr, so no library goes meanwhile. */
QUIET static int is_still_there(const site* s, uint32_t id) {
  const tsd_site* at = s->address;
  return (__atomic_load_n(&at->id, __ATOMIC_RELAXED) & ~kSiteOut) == id && at->line == s->line &&
         at->rgba == s->rgba;
}

QUIET static int ask_again(struct dl_phdr_info* info, size_t size, void* unused) {
  uint32_t id, count;
  (void)size;
  (void)unused;
  take(&recorder_lock);
  count = R.site_count;
  for (id = 1; id <= count; id++) {
    const site* s = site_at(id);
    const uintptr_t at = (uintptr_t)s->address;
    int segment, here = 0, wanted;
    for (segment = 0; at && segment < info->dlpi_phnum && !here; segment++) {
      const ElfW(Phdr)* p = &info->dlpi_phdr[segment];
      const uintptr_t begin = info->dlpi_addr + p->p_vaddr;
      here = p->p_type == PT_LOAD && (p->p_flags & PF_W) && at >= begin &&
             at + sizeof(tsd_site) <= begin + p->p_memsz;
    }
    if (!here || !is_still_there(s, id)) continue;
    wanted = is_wanted(text_or_none(s->category), text_or_none(s->name));
    if (wanted && (s->flags & 1)) { /* what was "not recorded" gets an id of its own */
      const uint32_t again = add_site(s->address, text_or_none(s->name), text_or_none(s->category),
                                      text_or_none(s->file), s->line, s->rgba);
      if (again) __atomic_store_n(&site_at(id)->address->id, again, __ATOMIC_RELAXED);
    } else {
      __atomic_store_n(&s->address->id, wanted ? id : id | kSiteOut, __ATOMIC_RELAXED);
    }
  }
  give_lock();
  return 0;
}

/* Names that are no sites of the program get new ones, also where threads remember them. */
QUIET static void ask_texts_again(void) {
  tsd_thread* t;
  uint32_t i;
  for (i = 1; i <= R.text_count; i++) text_at(i)->site = 0;
  for (t = R.threads; t; t = t->next) {
    for (i = 0; t->names && i < kCachedNames; i++) {
      __atomic_store_n(&t->names[i].site, 0u, __ATOMIC_RELAXED);
    }
  }
}

/* --- Modules: the memory map, so that addresses get names afterwards ----------------------------
 */

typedef struct segment {
  uint64_t start, end, elf, offset;
  uint32_t module, protection;
} segment;
typedef struct found_module {
  unsigned char build[32];
  uint32_t build_bytes;
  char path[PATH_MAX];
} found_module;
typedef struct snapshot {
  uint32_t modules, segments;
  int failed, only_look, changed;
} snapshot;
static growing found_modules;

QUIET static uint32_t build_id(const struct dl_phdr_info* info, unsigned char* to) {
  int i;
  for (i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)* p = &info->dlpi_phdr[i];
    const unsigned char* at = (const unsigned char*)(info->dlpi_addr + p->p_vaddr);
    size_t left = p->p_memsz;
    if (p->p_type != PT_NOTE) continue;
    while (left >= sizeof(ElfW(Nhdr))) {
      const ElfW(Nhdr)* note = (const ElfW(Nhdr)*)(const void*)at;
      const size_t name = ((size_t)note->n_namesz + 3) / 4 * 4,
                   data = ((size_t)note->n_descsz + 3) / 4 * 4;
      const size_t all = sizeof *note + name + data;
      if (all > left) break;
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && note->n_descsz <= 32 &&
          memcmp(at + sizeof *note, "GNU", 4) == 0) {
        memcpy(to, at + sizeof *note + name, note->n_descsz);
        return note->n_descsz;
      }
      at += all;
      left -= all;
    }
  }
  return 0;
}

QUIET static int see_module(struct dl_phdr_info* info, size_t size, void* data) {
  snapshot* s = (snapshot*)data;
  found_module* m;
  int i;
  if (s->modules == 0 &&
      size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) {
    s->changed = info->dlpi_adds != R.adds || info->dlpi_subs != R.subs;
    if (s->only_look && !s->changed) return 1;
    R.adds = info->dlpi_adds;
    R.subs = info->dlpi_subs;
  }
  if (!grow(&found_modules, (s->modules + 1) * sizeof *m)) return s->failed = 1;
  m = (found_module*)(void*)found_modules.at + s->modules;
  m->path[0] = 0;
  if (info->dlpi_name && *info->dlpi_name) {
    const char* name = info->dlpi_name;
    size_t at = 0;
    if (*name != '/' && strchr(name, '/') && getcwd(m->path, sizeof m->path)) {
      at = append_text(m->path, strlen(m->path), sizeof m->path, "/");
    }
    append_text(m->path, at, sizeof m->path, name);
  } else if (s->modules == 0) {
    const ssize_t length = readlink("/proc/self/exe", m->path, sizeof m->path - 1);
    m->path[length < 0 ? 0 : length] = 0;
  }
  m->build_bytes = build_id(info, m->build);
  for (i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)* p = &info->dlpi_phdr[i];
    segment* to;
    if (p->p_type != PT_LOAD) continue;
    if (!grow(&R.segments, (s->segments + 1) * sizeof *to)) return s->failed = 1;
    to = (segment*)(void*)R.segments.at + s->segments++;
    to->start = info->dlpi_addr + p->p_vaddr;
    to->end = to->start + p->p_memsz;
    to->elf = p->p_vaddr;
    to->offset = p->p_offset;
    to->module = s->modules;
    to->protection = (uint32_t) "\0\4\2\6\1\5\3\7"[p->p_flags & 7]; /* rwx for xwr */
  }
  s->modules++;
  return 0;
}

/* The same file keeps its number when it is loaded again. */
QUIET static uint32_t module_id(const found_module* m, uint32_t path) {
  uint32_t i;
  module* known;
  for (i = 0; i < R.module_count; i++) {
    known = (module*)(void*)R.modules.at + i;
    if (known->path == path && known->build_bytes == m->build_bytes &&
        memcmp(known->build, m->build, m->build_bytes) == 0) {
      return i + 1;
    }
  }
  if (!grow(&R.modules, (R.module_count + 1) * sizeof *known)) return 0;
  known = (module*)(void*)R.modules.at + R.module_count;
  memset(known, 0, sizeof *known);
  known->path = path;
  known->build_bytes = m->build_bytes;
  memcpy(known->build, m->build, m->build_bytes);
  return ++R.module_count;
}

/* With `control` and `busy`, without `lock`: a library's constructor may record while the loader's
 * lock is held. */
QUIET static void write_modules(uint64_t tick, int only_if_changed) {
  snapshot s;
  uint32_t i;
  memset(&s, 0, sizeof s);
  s.only_look = only_if_changed;
  s.changed = 1;
  dl_iterate_phdr(see_module, &s);
  if (s.modules && !s.failed) {
    uint32_t last = UINT32_MAX, id = 0;
    take(&recorder_lock);
    if (R.active) R.snapshot++;
    for (i = 0; R.active && i < s.segments; i++) {
      const segment* from = (const segment*)(const void*)R.segments.at + i;
      const found_module* m = (const found_module*)(const void*)found_modules.at + from->module;
      const uint32_t path = m->path[0] ? intern(m->path, strlen(m->path)) : 0;
      unsigned char* at;
      if (from->module != last) id = module_id(m, path);
      last = from->module;
      at = id ? begin_entry(56 + m->build_bytes) : NULL;
      if (!at) break;
      put32(at, R.snapshot);
      put32(at + 4, id);
      put64(at + 8, tick);
      put64(at + 16, from->start);
      put64(at + 24, from->end);
      put64(at + 32, from->elf);
      put64(at + 40, from->offset);
      put32(at + 48, path);
      at[52] = (unsigned char)from->protection;
      at[53] = (unsigned char)m->build_bytes;
      memcpy(at + 56, m->build, m->build_bytes);
      end_entry(kEntryModule, 56 + m->build_bytes);
    }
    give_lock();
  }
}

/* --- Threads -----------------------------------------------------------------------------------
 */

QUIET static void set_next(tsd_lane* lane, tsd_slot* next) {
  __atomic_store_n(&lane->next, next, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
QUIET_HOT static tsd_slot* next_of(const tsd_lane* lane) {
  return __atomic_load_n(&lane->next, __ATOMIC_RELAXED);
}

/* Null if the thread is gone, also without a word: killed by a handler in the middle of the
 * recorder, or first recorded in the last of its destructors. */
QUIET static tsd_lane* lane_of(tsd_thread* t) {
  if (t->lane && t->lane != &tsd_this_lane &&
      syscall(SYS_tgkill, getpid(), (pid_t)t->tid, 0) != 0 && errno == ESRCH) {
    chunk* c = t->current;
    t->lane = NULL;
    t->flags |= kThreadExited;
    if (c) { /* all that was claimed was in its memory */
      c->used = slots_in(c);
      while (c->used && !slots_of(c)[c->used - 1].meta) c->used--;
    }
  }
  return t->lane;
}

/* Records that the thread has claimed in its open chunk. */
QUIET static uint32_t used_now(const tsd_thread* t) {
  const tsd_slot* next = t->lane ? next_of(t->lane) : NULL;
  if (!t->current) return 0;
  return next ? (uint32_t)(next - slots_of(t->current)) : t->current->used;
}

/* What the thread has counted by itself. */
QUIET static void settle_lost(tsd_thread* t, tsd_lane* lane) {
  t->before += lane->lost;
  t->lost += lane->lost;
  __atomic_store_n(&lane->lost, 0ul, __ATOMIC_RELAXED);
}

QUIET static uint64_t dropped_of(const tsd_thread* t) {
  return t->dropped + (t->lane ? __atomic_load_n(&t->lane->dropped, __ATOMIC_RELAXED) : 0);
}

QUIET static void write_thread(tsd_thread* t, int finished) {
  unsigned char* at = begin_entry(56);
  if (!at) return;
  put32(at, t->stream);
  put32(at + 4, t->named);
  put64(at + 8, t->tid);
  put64(at + 16, t->first_tick);
  if (finished) {
    t->told_dropped = dropped_of(t);
    put64(at + 24, t->last_tick);
    put64(at + 32, t->before + used_now(t));
    put64(at + 40, t->told_dropped);
  }
  put32(at + 48, t->flags);
  end_entry(kEntryThread, 56);
}

/* The thread's own name for it, else the system's; both may change while it runs. */
QUIET static void name_thread(tsd_thread* t) {
  char name[64] = "";
  if (t->lane && t->lane->name[0]) {
    memcpy(name, t->lane->name, sizeof name);
  } else if (t->lane == &tsd_this_lane) {
    prctl(PR_GET_NAME, name, 0, 0, 0);
  } else if (t->lane) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%u/comm", t->tid);
    read_text(path, name, sizeof name);
  }
  if (name[0]) t->named = intern(name, strlen(name));
}

QUIET static void append_chunk(tsd_thread* t, chunk* c) {
  if (t->oldest)
    t->newest->next = c;
  else
    t->oldest = c;
  c->next = NULL;
  t->newest = t->current = c;
}

QUIET static void close_later(chunk* c) {
  c->next = NULL;
  *R.closing_end = c;
  R.closing_end = &c->next;
  if (++R.closing_count > kMostClosing)
    madvise(c->base, c->bytes, MADV_DONTNEED); /* the helper is late */
}

/* A thread leaves its open chunk: full, or the thread has ended. */
QUIET static void leave_chunk(tsd_thread* t, int ended) {
  chunk* c = t->current;
  if (c) {
    c->used = used_now(t);
    t->before += c->used;
    if (ended && !is_live()) split_chunk(c);
  }
  t->current = NULL;
  if (!is_live() || (R.config.keep == TSD_KEEP_LAST && !ended)) return;
  while (t->oldest) {
    c = t->oldest;
    t->oldest = c->next;
    close_later(c);
  }
}

QUIET static chunk* take_ready(uint32_t slots) {
  const size_t wanted = kHeader + (size_t)slots * kSlot;
  size_t bytes = page_up(wanted > kOwnChunk ? wanted : (size_t)kOwnChunk);
  if (R.config.keep != TSD_KEEP_ALL || bytes > R.config.chunk_bytes) bytes = R.config.chunk_bytes;
  for (;;) {
    chunk** at = &R.ready_chunks;
    if (R.stopping) return NULL;
    while (*at && (*at)->bytes < wanted) at = &(*at)->next;
    if (*at) {
      chunk* c = *at;
      *at = c->next;
      R.ready_count--;
      R.taken++;
      if (R.ready_count < (R.ready_target + 1) / 2) R.wakes = 1;
      return c;
    }
    if (has_room(bytes, 0)) break;
    if (!R.making) return NULL;
    give_lock(); /* the last that there is room for is on its way */
    usleep(20);
    take(&recorder_lock);
  }
  R.taken++;
  R.wakes = 1;
  return make_chunk(bytes, 1);
}

/* A chunk to go on in; its thread has left the one before. */
QUIET static int next_chunk(tsd_thread* t, uint32_t slots) {
  const uint32_t recording = R.recording;
  chunk_header h;
  chunk* c = NULL;
  const int may_grow = R.config.keep == TSD_KEEP_ALL || t->bytes == 0 ||
                       t->bytes + R.config.chunk_bytes <= R.config.bytes_per_thread;
  if (may_grow) {
    c = take_ready(slots);
    if (!R.active || R.recording != recording) return 0; /* the lock was given up */
    if (c) t->bytes += c->bytes;
  }
  if (!c && R.config.keep == TSD_KEEP_LAST && t->oldest && t->oldest != t->newest &&
      slots_in(t->oldest) >=
          slots) { /* the oldest again, if a handler cannot be in the middle of it */
    size_t left;
    c = t->oldest;
    t->oldest = c->next;
    t->lost += c->used;
    /* From its end: a killed process leaves its first records, never a hole before others. */
    for (left = slots_in(c); left;) {
      const size_t part = left < 64 ? left : 64;
      left -= part;
      memset(slots_of(c) + left, 0, part * kSlot);
      __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
  }
  if (!c) {
    if (may_grow && !R.full && !R.stopping && !R.told_limit) {
      R.told_limit = 1;
      say_error("TSD_BYTES is used up", "records are lost from here on");
    }
    return 0;
  }
  c->stream = t->stream;
  c->sequence = t->sequence++;
  c->ordinal = t->before;
  c->begun = tsd_clock();
  c->used = 0;
  h = header_of_events(c, kFlagOpen, slots_in(c));
  set_header(c, &h);
  append_chunk(t, c);
  return 1;
}

/* For the crash handler, which may come where the stack has ended; as long as the thread lives. */
QUIET static void give_signal_stack(tsd_lane* lane) {
  stack_t now;
  if (!R.config.crash_handler || is_live()) return;
  if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
  now.ss_flags = 0;
  now.ss_size = kSignalStack;
  now.ss_sp = map_memory(kSignalStack, 0);
  if (!now.ss_sp) return;
  if (sigaltstack(&now, NULL) == 0)
    lane->signal_stack = now.ss_sp;
  else
    munmap(now.ss_sp, kSignalStack);
}

QUIET static void take_signal_stack(tsd_lane* lane) {
  stack_t now;
  if (!lane->signal_stack || sigaltstack(NULL, &now) != 0 || now.ss_sp != lane->signal_stack)
    return;
  now.ss_flags = SS_DISABLE;
  if (sigaltstack(&now, NULL) == 0) munmap(lane->signal_stack, kSignalStack);
  lane->signal_stack = NULL;
}

QUIET static int attach(tsd_lane* lane) {
  tsd_thread* t = R.free_threads;
  if (t)
    R.free_threads = t->next;
  else
    t = (tsd_thread*)keep(sizeof *t);
  if (!t) return 0;
  memset(t, 0, sizeof *t);
  if (pthread_setspecific(R.key, lane) != 0) {
    t->next = R.free_threads;
    R.free_threads = t;
    return 0;
  }
  t->lane = lane;
  t->stream = ++R.thread_count;
  t->tid = (uint32_t)syscall(SYS_gettid);
  t->flags = t->tid == (uint32_t)getpid() ? kThreadMain : 0;
  t->first_tick = tsd_clock();
  t->next = R.threads;
  R.threads = t;
  lane->thread = t;
  lane->recording = R.recording;
  lane->stretch = R.stretch;
  lane->left_out = NULL;
  lane->lost = lane->spent = 0;
  set_next(lane, NULL);
  name_thread(t);
  give_signal_stack(lane);
  write_thread(t, 0);
  return 1;
}

/* Null if the lane is attached to nothing that is recorded now, or not any more. */
QUIET static tsd_thread* thread_of(const tsd_lane* lane) {
  tsd_thread* t = lane->thread;
  return lane->recording == R.recording && t && t->lane ? t : NULL;
}

QUIET_HOT static int is_complete(const chunk* c);
QUIET static chunk_header describe_closed(const chunk* c);
QUIET static void close_chunk(chunk* c, chunk_header* h);
QUIET static void unmap_chunk(const chunk* c);

/* The thread ends, or wants to be forgotten. */
QUIET static void detach(tsd_lane* lane) {
  tsd_thread* t = thread_of(lane);
  if (!t) return;
  set_limit(lane, NULL);
  if (!R.active) return;
  name_thread(t);
  t->last_tick = t->paused_tick ? t->paused_tick : tsd_clock(); /* nothing came since */
  t->flags |= kThreadExited;
  if (t->names) {
    t->names->next = R.free_names;
    R.free_names = t->names;
    t->names = NULL;
  }
  {
    chunk* c = t->current;
    chunk_header h;
    const int only = is_live() && c && t->oldest == c && R.closing == NULL;
    leave_chunk(t, 1);
    set_next(lane, NULL);
    lane->left_out = NULL;
    lane->spent = 0;
    settle_lost(t, lane);
    t->dropped += lane->dropped;
    __atomic_store_n(&lane->dropped, 0ul, __ATOMIC_RELAXED);
    t->lane = NULL;
    write_thread(t, 1);
    if (only && c->used < kPage / kSlot * 4 && is_complete(c)) { /* cheaper here than later */
      R.closing = NULL;
      R.closing_end = &R.closing;
      R.closing_count = 0;
      h = describe_closed(c);
      close_chunk(c, &h);
      R.making++; /* the file stays meanwhile */
      give_lock();
      unmap_chunk(c);
      take(&recorder_lock);
      R.making--;
      forget_chunk(c);
    } else if (is_live() && c) {
      R.wakes = 1;
    }
  }
}

/* Of pthread_key_create: in the second of four rounds, so that most other destructors are recorded,
 * and what these call for the first time has rounds left. */
enum { kEnded = 2 };
QUIET static void thread_ends(void* data) {
  tsd_lane* lane = (tsd_lane*)data;
  call c;
  if (lane->ended < kEnded - 1) {
    lane->ended++;
    pthread_setspecific(R.key, lane);
    return;
  }
  if (!begin_locked(&c)) return;
  take_signal_stack(lane);
  detach(lane);
  lane->ended = kEnded;
  end_locked(&c);
}

/* With `lock` and `busy`: the slots, after whatever had to be done first; null if none are to be
 * had. */
QUIET static tsd_slot* claim_slowly(tsd_lane* lane, uint32_t slots, int how) {
  const uint32_t extra = 2; /* a RESUME and its value */
  tsd_thread* t;
  tsd_slot* next;
  if (!tsd_is_on() || !R.active) return NULL;
  if (lane->ended == kEnded) {
    if (lane->recording == R.recording && lane->thread)
      lane->thread->dropped += slots;
    else
      R.homeless += slots;
    return NULL;
  }
  t = thread_of(lane);
  if (!t) {
    if (how != TSD_BEGINS) return NULL; /* what it belongs to is in another file, or in none */
    if (!attach(lane)) {
      R.homeless += slots;
      return NULL;
    }
    t = lane->thread;
  }
  settle_lost(t, lane);
  if (t->paused_tick && how != TSD_BEGINS) return NULL; /* what it belongs to is before the gap */
  set_limit(lane, NULL);
  next = next_of(lane);
  if (!t->current || !next ||
      next + slots + (t->paused_tick ? extra : 0) > slots_of(t->current) + slots_in(t->current)) {
    int got;
    leave_chunk(t, 0);
    set_next(lane, NULL);
    got = next_chunk(t, slots + extra);
    if (!R.active || lane->recording != R.recording) return NULL;
    if (got) set_next(lane, slots_of(t->current));
    /* The lock was given up: there may have been a pause, and its end. */
    if (!tsd_is_on() || (t->paused_tick && how != TSD_BEGINS)) return NULL;
    if (!got) {
      t->before += slots;
      t->lost += slots;
      lane->left_out = LOST_RECORD;
      if (slots <= 8) lane->spent = R.stretch; /* nothing that is larger finds room, either */
      return NULL;
    }
    next = slots_of(t->current);
  }
  if (t->paused_tick) {
    tsd_put(next + 1, t->paused_tick, TSD_META(TSD_KIND_VALUE, 0, 0));
    tsd_put(next, tsd_clock(), TSD_META(TSD_KIND_RESUME, 1, 0));
    t->paused_tick = 0;
    lane->stretch = R.stretch;
    next += extra;
  }
  set_next(lane, next + slots);
  set_limit(lane, slots_of(t->current) + slots_in(t->current));
  return next;
}

QUIET tsd_slot* tsd_more(uint32_t slots, int how) {
  tsd_lane* lane = &tsd_this_lane;
  tsd_slot* slot = NULL;
  const uint32_t on = tsd_is_on();
  int error = errno, cancel;
#ifdef TSD_CLAIM_BY_CMPXCHG
  if (__atomic_load_n(&lane->busy, __ATOMIC_RELAXED)) {
    __atomic_store_n(&lane->dropped, lane->dropped + slots, __ATOMIC_RELAXED);
    return NULL;
  }
  be_busy(lane);
#endif
  if (on && lane->spent == on) { /* no thread waits for the lock only to count */
    __atomic_store_n(&lane->lost, lane->lost + slots, __ATOMIC_RELAXED);
    lane->left_out = LOST_RECORD;
  } else {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    take(&recorder_lock);
    slot = claim_slowly(lane, slots, how);
    give_lock();
    pthread_setcancelstate(cancel, NULL);
    errno = error;
  }
#ifdef TSD_CLAIM_BY_CMPXCHG
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&lane->busy, 0u, __ATOMIC_RELEASE);
#endif
  return slot;
}

QUIET uint32_t tsd_register(tsd_site* s) {
  uint32_t id;
  call c;
  if (!begin_locked(&c)) {
    tsd_count_dropped(1);
    tsd_this_lane.left_out = next_of(&tsd_this_lane);
    return 0;
  }
  id = __atomic_load_n(&s->id, __ATOMIC_RELAXED);
  if (!id && R.active) {
    id = add_site(s, s->name, s->category, s->file, s->line, s->rgba);
    if (id)
      __atomic_store_n(&s->id, id, __ATOMIC_RELAXED);
    else
      R.homeless++;
  }
  if (!id || id & kSiteOut) tsd_this_lane.left_out = next_of(&tsd_this_lane);
  end_locked(&c);
  return id & kSiteOut ? 0 : id;
}

QUIET void tsd_count_dropped(uint32_t records) {
  __atomic_store_n(&tsd_this_lane.dropped, tsd_this_lane.dropped + records, __ATOMIC_RELAXED);
}

/* --- Closing chunks, and dumping them -----------------------------------------------------------
 */

/* A thread may be between claiming slots and filling them, or a handler may have left it there. */
QUIET_HOT static int is_complete(const chunk* c) {
  const tsd_slot* slot = slots_of(c);
  uint32_t i;
  for (i = c->used; i > 0; i--) { /* the word with the kind, which is stored last */
#if __SIZEOF_POINTER__ == 8
    if (!__atomic_load_n(&slot[i - 1].meta, __ATOMIC_ACQUIRE)) return 0;
#else
    if (!__atomic_load_n((const uint32_t*)(const void*)&slot[i - 1].meta + 1, __ATOMIC_ACQUIRE))
      return 0;
#endif
  }
  return 1;
}

/* The header of a chunk that is complete, but for the checksum of its payload. */
QUIET static chunk_header describe(const chunk* c) {
  const tsd_slot* slot = slots_of(c);
  chunk_header h = header_of_events(c, 0, c->used);
  uint32_t i;
  h.count = c->used;
  for (i = 0; i < c->used; i++) {
    const uint64_t kind = slot[i].meta >> 48;
    if (kind - 1 < 63) {
      h.first = slot[i].tick;
      break;
    }
  }
  h.last = h.first;
  for (i = c->used; i > 0; i--) {
    const uint64_t kind = slot[i - 1].meta >> 48;
    if (kind - 1 < 63) {
      h.last = slot[i - 1].tick;
      break;
    }
  }
  /* A handler between clock and claim leaves times that step back; readers only ask whether a tick
   * lies between the two where the payload is damaged. */
  if (h.last < h.first) h.last = h.first;
  return h;
}

QUIET static chunk_header describe_closed(const chunk* c) {
  chunk_header h = describe(c);
  h.crc = crc32_of(c->base + kHeader, h.stored);
  return h;
}

/* In a mapped file, with `lock`. */
QUIET static void close_chunk(chunk* c, chunk_header* h) {
  const size_t used = kHeader + (size_t)c->used * kSlot;
  set_header(c, h);
  note_used(c, used);
  R.bytes_written += used;
  split_chunk(c);
  R.memory_bytes -= c->bytes < R.memory_bytes ? c->bytes : R.memory_bytes;
}

/* A closed chunk is no longer needed in memory. What of its file is not used goes, too. */
QUIET static void unmap_chunk(const chunk* c) {
  const size_t pages = page_up(kHeader + (size_t)c->used * kSlot);
  if (pages < c->bytes) punch(c->offset + pages, c->bytes - pages);
  munmap(c->base, c->bytes);
}

QUIET static void fill_pool(int most);

/* The helper's share, behind the threads: with `control`. */
QUIET static chunk** take_waiting(chunk** end, int* count) {
  chunk* c;
  take(&recorder_lock);
  c = R.closing;
  R.closing = NULL;
  R.closing_end = &R.closing;
  R.closing_count = 0;
  give_lock();
  *end = c;
  for (; c; c = c->next) { /* far behind, memory goes before it is looked at, and comes back then */
    if (++*count > kMostMapped) madvise(c->base, c->bytes, MADV_DONTNEED);
    end = &c->next;
  }
  return end;
}

QUIET static void close_waiting(int last) {
  chunk *first = NULL, **end = &first, *left = NULL, **left_end = &left;
  int count = 0;
  for (;;) {
    chunk* c;
    end = take_waiting(end, &count);
    c = first;
    /* Threads may fill chunks faster than they are closed: who wants to stop them goes first. */
    if (!c || (!last && __atomic_load_n(&control_wanted, __ATOMIC_SEQ_CST))) break;
    first = c->next;
    if (!first) end = &first;
    count--;
    if (is_complete(c)) {
      chunk_header h = describe_closed(c);
      take(&recorder_lock);
      close_chunk(c, &h);
      give_lock();
      unmap_chunk(c);
      take(&recorder_lock);
      forget_chunk(c);
      give_lock();
    } else { /* later; at the end it stays open, which a reader can live with, and mapped */
      if (last) note_used(c, c->bytes);
      c->next = NULL;
      *left_end = c;
      left_end = &c->next;
    }
    if (!last) fill_pool(2);
  }
  if (last) return;
  *left_end = first;
  if (first) left_end = end;
  if (!left) return;
  take(&recorder_lock);
  *left_end = R.closing;
  if (!R.closing) R.closing_end = left_end;
  R.closing = left;
  give_lock();
}

typedef struct packer {
  unsigned char* to;
  size_t length;
  uint32_t open[4096]; /* the innermost calls of the reader's stack, as far as they are known */
  uint32_t depth;
} packer;

QUIET static void pack_number(packer* p, uint64_t v) {
  for (; v >= 128; v >>= 7) p->to[p->length++] = (unsigned char)(v | 128);
  p->to[p->length++] = (unsigned char)v;
}

QUIET static void pack_push(packer* p, uint32_t key) {
  if (p->depth == sizeof p->open / sizeof *p->open) { /* forgetting the outer half is no error */
    memmove(p->open, p->open + p->depth / 2, (p->depth - p->depth / 2) * sizeof *p->open);
    p->depth -= p->depth / 2;
  }
  p->open[p->depth++] = key;
}

/* False if a record is too far from the one before. At most 19 bytes a record: t = 6, its d and
 * the longest numbers of t = 5. */
QUIET static int pack_slots(packer* p, const tsd_slot* slot, uint32_t count, uint64_t tick) {
  uint32_t i;
  for (i = 0; i < count; i++) {
    const uint64_t meta = slot[i].meta;
    const uint32_t kind = (uint32_t)(meta >> 48), aux = (uint32_t)(meta >> 32) & 0xffff,
                   id = (uint32_t)meta;
    uint64_t d;
    if (kind >= 64) {
      pack_number(p, 0);
      put64(p->to + p->length, slot[i].tick);
      put64(p->to + p->length + 8, meta);
      p->length += kSlot;
      continue;
    }
    if (slot[i].tick < tick) {
      if ((tick - slot[i].tick) >> 60) return 0;
      pack_number(p, (tick - slot[i].tick) << 3 | 6);
      d = 0;
    } else {
      d = slot[i].tick - tick;
      if (d >> 60) return 0;
    }
    tick = slot[i].tick;
    if (kind == TSD_KIND_EXIT && id && p->depth && p->open[p->depth - 1] == id) {
      pack_number(p, d << 3 | 2);
      p->depth--;
    } else if (kind <= TSD_KIND_INSTANT && aux == 0) {
      pack_number(p, d << 3 | (kind == TSD_KIND_EXIT && !id ? 2
                               : kind == TSD_KIND_ENTER     ? 1
                                                            : kind + 1));
      if (kind != TSD_KIND_EXIT || id) pack_number(p, id);
      if (kind == TSD_KIND_ENTER) pack_push(p, id);
      if (kind == TSD_KIND_EXIT && !id && p->depth) p->depth--;
      if (kind == TSD_KIND_EXIT && id) p->depth = 0; /* unwinds to somewhere, or nothing */
    } else {
      pack_number(p, d << 3 | 5);
      pack_number(p, kind);
      pack_number(p, id);
      pack_number(p, aux);
      if (kind == TSD_KIND_ENTER_ADDRESS || kind == TSD_KIND_ENTER_MANAGED) pack_push(p, 0);
      if (kind == TSD_KIND_EXIT_ADDRESS || kind == TSD_KIND_EXIT_MANAGED ||
          kind == TSD_KIND_RESUME) {
        p->depth = 0;
      }
    }
  }
  return 1;
}

QUIET static void dump_chunk(chunk_header* h, const void* payload) {
  static const unsigned char zeros[8] = {0};
  if (!(h->flags & kFlagOpen)) h->crc = crc32_of(payload, h->stored);
  finish_header(h);
  write_all(h, kHeader);
  write_all(payload, h->stored);
  if (h->stored & 7) write_all(zeros, 8 - (h->stored & 7));
}

QUIET static void dump_events(const chunk* c, packer* p, size_t space) {
  const int complete = is_complete(c);
  chunk_header h = describe(c);
  const void* payload = slots_of(c);
  if (!complete) {
    h.flags = kFlagOpen;
    h.count = 0;
    h.last = 0;
    p->depth = 0;
  } else if (R.config.pack == TSD_PACKED && space >= (size_t)c->used * 20 + 16) {
    p->length = 0;
    if (pack_slots(p, slots_of(c), c->used, h.first)) {
      h.kind = kChunkPacked;
      h.stored = h.full = (uint32_t)p->length;
      payload = p->to;
    } else {
      p->depth = 0;
    }
  }
#ifdef TSD_WITH_LZ4
  else if (R.config.pack == TSD_LZ4 && h.stored >= 1024) {
    LZ4F_preferences_t how;
    size_t packed;
    memset(&how, 0, sizeof how);
    how.frameInfo.contentSize = h.full;
    how.frameInfo.blockSizeID = LZ4F_max64KB;
    if (space >= LZ4F_compressFrameBound(h.full, &how)) {
      packed = LZ4F_compressFrame(p->to, space, payload, h.full, &how);
      if (!LZ4F_isError(packed) && packed < h.full) {
        h.flags = kFlagLz4;
        h.stored = (uint32_t)packed;
        payload = p->to;
      }
    }
  }
#endif
  dump_chunk(&h, payload);
}

/* Memory mode: all at once. Tables first, so a reader of a pipe has the names. In a crash nothing
 * here may wait or allocate, and other threads stand wherever they are: all chunks stay open. */
QUIET static void dump(int crash) {
  unsigned char header[kHeader];
  const size_t space =
      R.config.pack == TSD_RAW ? 0 : page_up((size_t)R.config.chunk_bytes * 5 / 4 + 65536);
  const size_t bytes = sizeof(packer) + 64 + space;
  packer* p = crash ? NULL : (packer*)(void*)map_memory(bytes, 0);
  tsd_thread* t;
  chunk* c;
  chunk_header h;
  if (!crash && !p) {
    R.write_error = ENOMEM;
    return;
  }
  if (p) p->to = (unsigned char*)p + (sizeof(packer) + 63) / 64 * 64;
  make_file_header(header, crash ? kFileCrash : 0);
  if (crash && !R.pipe) lseek(R.fd, 0, SEEK_SET);
  if (crash || R.pipe) write_all(header, kHeader); /* a file has it already */
  for (c = R.tables; c; c = c->next) {
    h = header_of_table(0, c->used);
    memcpy(&h.count, c->base + 48, 4);
    dump_chunk(&h, c->base + kHeader);
  }
  if (crash) {
    unsigned char stop[32];
    if (R.table) {
      h = header_of_table(kFlagOpen, R.table_at);
      dump_chunk(&h, R.table->base + kHeader);
    }
    memset(stop, 0, sizeof stop);
    put32(stop, 32);
    put16(stop + 4, kEntryFact);
    put32(stop + 8, 4);
    put32(stop + 12, 5);
    memcpy(stop + 16, "stopcrash", 9);
    h = header_of_table(kFlagOpen, 32);
    dump_chunk(&h, stop);
  }
  for (t = R.threads; t; t = t->next) {
    uint64_t expected = 0;
    if (p) p->depth = 0;
    for (c = t->oldest; c; c = c->next) {
      if (crash) {
        const uint32_t used = c == t->current ? used_now(t) : c->used;
        h = header_of_events(c, kFlagOpen, used);
        if (used && used <= slots_in(c)) dump_chunk(&h, slots_of(c));
        continue;
      }
      if (c->ordinal != expected) p->depth = 0; /* the reader's stack is empty behind a loss */
      expected = c->ordinal + c->used;
      if (c->used) dump_events(c, p, space);
    }
  }
  if (p) munmap(p, bytes);
}

/* --- Start and stop: with `control` and `busy`
 * ------------------------------------------------------------- */

QUIET static uint32_t next_stretch(void) {
  if (++R.stretch == 0) R.stretch = 1;
  return R.stretch;
}

QUIET static void set_on(uint32_t on) {
  __atomic_store_n(&tsd_switch.on, on, __ATOMIC_SEQ_CST);
}

/* All other threads have seen what this one wrote, and this one sees what they wrote. */
QUIET static void wait_for_all_cores(void) {
  if (R.barrier && syscall(SYS_membarrier, kMembarrierPrivate, 0, 0) == 0) return;
  usleep(2000); /* without the call: longer than any store waits in a core */
}

QUIET static void program_name(char* to, size_t bytes) {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  const char* name;
  path[length < 0 ? 0 : length] = 0;
  name = strrchr(path, '/');
  append_text(to, 0, bytes, name ? name + 1 : *path ? path : "program");
}

QUIET static void expand_path(char* to, size_t bytes, int twin) {
  const char* at = R.path;
  size_t length = 0, dot = 0, slash = 0;
  char part[PATH_MAX];
  to[0] = 0;
  for (; *at; at++) {
    part[0] = *at;
    part[1] = 0;
    if (*at == '%' && at[1]) {
      switch (*++at) {
        case 'e':
          program_name(part, sizeof part);
          break;
        case 'p':
          snprintf(part, sizeof part, "%ld", (long)getpid());
          break;
        case 't':
          snprintf(part, sizeof part, "%lld", (long long)time(NULL));
          break;
        case 'n':
          snprintf(part, sizeof part, "%u", R.nth);
          break;
        case '%':
          break;
        default:
          part[1] = *at;
          part[2] = 0;
      }
    }
    length = append_text(to, length, bytes, part);
  }
  if (twin < 2) return;
  for (dot = length, slash = length; slash > 0 && to[slash - 1] != '/'; slash--) {
    if (to[slash - 1] == '.' && dot == length) dot = slash - 1;
  }
  if (dot == slash) dot = length; /* a name that begins with a dot has no ending */
  snprintf(part, sizeof part, "-%d%s", twin, to + dot);
  append_text(to, dot, bytes, part);
}

/* Whether the file at a path is the one that was opened. */
QUIET static int is_at(const char* path, int fd) {
  struct stat there, here;
  return stat(path, &there) == 0 && fstat(fd, &here) == 0 && there.st_ino == here.st_ino &&
         there.st_dev == here.st_dev;
}

/* A new file at the path, locked, with its header; 0 or -errno. A viewer keeps the file that was
 * there; what another recorder writes, and this process' earlier recordings, are left alone. */
QUIET static int open_file(void) {
  unsigned char header[kHeader];
  int twin = R.nth > 1 && !strstr(R.path, "%n") ? (int)R.nth : 1, tries, fd;
  for (tries = 0; tries < 1000; tries++) {
    struct stat there;
    expand_path(R.file_name, sizeof R.file_name, twin);
    R.pipe = 0;
    if (stat(R.file_name, &there) == 0) {
      if (S_ISDIR(there.st_mode)) return -EISDIR;
      if (!S_ISREG(there.st_mode)) {
        if (is_live()) return -ENOTSUP; /* a pipe cannot be mapped */
        fd = open(R.file_name, O_WRONLY | O_CLOEXEC);
        R.pipe = 1;
        return fd < 0 ? -errno : keep_file(fd);
      }
      {
        const int old = open(R.file_name, O_RDONLY | O_CLOEXEC);
        if (old >= 0) {
          /* Who has the lock may take the name away; others that start now have to look again. */
          const int taken = flock(old, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
          const int gone = !is_at(R.file_name, old);
          if (!taken && !gone) unlink(R.file_name);
          close(old);
          if (taken && !gone) twin++;
          if (taken || gone) continue;
        } else if (unlink(R.file_name) != 0) {
          return -errno;
        }
      }
    }
    fd = open(R.file_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) continue;
    if (fd < 0) return -errno;
    if ((flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) || !is_at(R.file_name, fd)) {
      close(fd);
      continue;
    }
    make_file_header(header, 0);
    if (keep_file(fd) != 0 || !write_all(header, kHeader)) {
      close_file();
      return -ENOSPC;
    }
    return 0;
  }
  return -EEXIST;
}

QUIET static const char* keep_word(void) {
  return R.config.keep == TSD_KEEP_FIRST  ? "first"
         : R.config.keep == TSD_KEEP_LAST ? "last"
                                          : "all";
}

QUIET static void write_facts(void) {
  char word[1024], line[2048];
  struct utsname system;
  uint64_t best = kNever;
  uint32_t i;
  int round;
  program_name(word, sizeof word);
  write_fact("name", word);
  write_fact("recorder", "tsd 1.0");
  if (read_text("/proc/sys/kernel/random/uuid", word, sizeof word)) write_fact("recording", word);
  if (read_text("/proc/sys/kernel/random/boot_id", word, sizeof word)) write_fact("boot_id", word);
  if (uname(&system) == 0) {
    snprintf(line, sizeof line, "%s %s", system.sysname, system.release);
    write_fact("os", line);
    write_fact("cpu", system.machine);
  }
#if defined(__aarch64__)
  write_fact("clock", tsd_switch.tsc ? "cntvct" : "monotonic");
#else
  write_fact("clock", tsd_switch.tsc ? "tsc" : "monotonic");
#endif
  write_fact("start", R.start_word);
  write_fact("keep", keep_word());
  if (R.include[0]) write_fact("include", R.include);
  if (R.exclude[0]) write_fact("exclude", R.exclude);
  for (round = 0; round < 5; round++) { /* two reads of the clock are nearly all of an empty zone */
    uint64_t took;
    const uint64_t begin = now_ns();
    for (i = 0; i < 64; i++) (void)tsd_clock();
    took = now_ns() - begin;
    if (took < best) best = took;
  }
  snprintf(word, sizeof word, "%u", (unsigned)(best * 2 / 64 + 2));
  write_fact("overhead_ns", word);
}

QUIET static int ensure_helper(void);

QUIET static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

QUIET static void forget_recording(void) {
  memset(&R.paused, 0, sizeof R - offsetof(struct recorder, paused));
  R.closing_end = &R.closing;
  R.tables_end = &R.tables;
}

/* 0 or -errno, said on standard error. */
QUIET static int start_recording(const char* why) {
  struct rlimit most;
  moment first;
  int result;
  uint32_t i;
  if (R.active) return -EALREADY;
  if (R.ended) return -ESHUTDOWN;
  R.nth++;
  R.start_word = why;
  choose_clock();
  R.alignment = is_live() ? (uint32_t)R.system_pages : 8;
  forget_recording();
  result = open_file();
  if (result < 0) {
    R.nth--;
    say_error(strerror(-result), "nothing is recorded");
    return result;
  }
  open_header_file();
  result = ensure_helper();
  if (result < 0) {
    close_file();
    say("no thread for the recorder: %s", strerror(-result));
    return result;
  }
  take(&recorder_lock);
  R.recording++;
  R.active = 1;
  R.file_end = R.file_used =
      (uint64_t)R.alignment > (uint64_t)kHeader ? R.alignment : (uint64_t)kHeader;
  R.ready_target = kLeastReady;
  R.most_bytes = is_live() && getrlimit(RLIMIT_FSIZE, &most) == 0 ? most.rlim_cur : kNever;
  write_facts();
  first = take_moment();
  write_moment(&first);
  for (i = 1; i <= R.text_count; i++) write_string(i);
  for (i = 1; i <= R.site_count; i++) write_site(i);
  give_lock();
  R.start_tick = first.tick;
  R.start_ns = first.mono_ns;
  R.clock_due_ns = first.mono_ns + kNsPerS / 1000;
  R.modules_due_ns = first.mono_ns + (uint64_t)kModulesEveryMs * 1000000;
  R.stop_at_ns = R.config.stop & TSD_DELAY
                     ? first.mono_ns + (uint64_t)R.config.stop_delay_ms * 1000000
                     : kNever;
  write_modules(first.tick, 0);
  take(&recorder_lock);
  set_on(next_stretch());
  give_lock();
  wake_helper();
  return 0;
}

/* No thread claims slots any more when this returns: `next` is taken away from under them, which a
 * claim that is just being made can undo, so it is looked at again once all cores were heard. */
QUIET static void take_lanes(void) {
  int round;
  for (round = 0; round < 100; round++) {
    tsd_thread* t;
    int again = 0;
    take(&recorder_lock);
    for (t = R.threads; t; t = t->next) {
      tsd_slot* next;
      if (!lane_of(t)) continue;
      __atomic_store_n(&t->lane->limit, (tsd_slot*)NULL, __ATOMIC_SEQ_CST);
      next = __atomic_exchange_n(&t->lane->next, (tsd_slot*)NULL, __ATOMIC_SEQ_CST);
      if (next && t->current) t->current->used = (uint32_t)(next - slots_of(t->current));
    }
    wait_for_all_cores();
    for (t = R.threads; t; t = t->next) {
      if (!lane_of(t)) continue;
      again |= next_of(t->lane) != NULL;
#ifndef TSD_CLAIM_BY_CMPXCHG /* between looking at the limit and moving on, or waiting for the \
                                lock */
      again |= t->lane != &tsd_this_lane && __atomic_load_n(&t->lane->busy, __ATOMIC_ACQUIRE);
#endif
    }
    give_lock();
    if (!again) return;
    if (round > 2) usleep(1000);
  }
}

QUIET static void wait_for_slots(void) {
  int round;
  for (round = 0; round < 120 || R.making; round++) {
    tsd_thread* t;
    int waiting;
    take(&recorder_lock);
    waiting = R.making != 0; /* a file that is cut must not be touched behind its end */
    for (t = R.threads; t; t = t->next) waiting |= t->current && !is_complete(t->current);
    give_lock();
    if (!waiting) return;
    usleep(round < 20 ? 50 : 1000);
  }
}

QUIET static void count_all(tsd_counts* to) {
  tsd_thread* t;
  memset(to, 0, sizeof *to);
  for (t = R.threads; t; t = t->next) {
    lane_of(t);
    to->records += t->before + used_now(t) - t->lost;
    to->lost += t->lost + (t->lane ? t->lane->lost : 0);
    to->dropped += dropped_of(t);
    to->threads++;
  }
  to->dropped += R.homeless;
  to->bytes = is_live() ? R.file_end : R.bytes_written ? R.bytes_written : R.memory_bytes;
}

QUIET static int stop_recording(const char* why) {
  tsd_thread* t;
  chunk* c;
  moment last;
  int result = 0;
  if (!R.active) return -EALREADY;
  set_on(0);
  write_modules(tsd_clock(), 1);
  take(&recorder_lock);
  R.stopping = 1;
  give_lock();
  take_lanes();
  wait_for_slots();
  take(&recorder_lock);
  last = take_moment();
  for (t = R.threads; t; t = t->next) {
    tsd_lane* lane = lane_of(t);
    if (lane || t->current) {
      name_thread(t);
      t->last_tick = t->paused_tick ? t->paused_tick : last.tick; /* nothing came since */
      if (lane) {
        settle_lost(t, lane);
        t->dropped += lane->dropped;
        __atomic_store_n(&lane->dropped, 0ul, __ATOMIC_RELAXED);
        set_limit(lane, NULL);
        set_next(lane, NULL);
      }
      leave_chunk(t, 1);
      t->lane = NULL;
      write_thread(t, 1);
    } else if (t->dropped != t->told_dropped) {
      write_thread(t, 1);
    }
  }
  write_moment(&last);
  write_fact("stop", why);
  if (R.homeless) {
    char number[32];
    snprintf(number, sizeof number, "%llu", (unsigned long long)R.homeless);
    write_fact("dropped", number);
  }
  if (begin_entry(0)) end_entry(kEntryEnd, 0);
  count_all(&R.last_counts);
  if (!is_live()) {
    chunk* table = R.table;
    if (table) put32(table->base + 48, R.entry_count);
    close_table();
  }
  give_lock();
  if (is_live()) {
    close_waiting(1);
    take(&recorder_lock);
    close_table(); /* END is in it already: what comes now are only headers */
    R.active = 0;
    if ((c = R.spare_table) != NULL) {
      c->next = R.ready_chunks;
      R.ready_chunks = c;
    }
    while ((c = R.ready_chunks) != NULL) { /* some may lie before used ones */
      R.ready_chunks = c->next;
      if (c->offset < R.file_used) punch(c->offset, c->bytes);
      release_chunk(c);
    }
    if (!is_ours() || ftruncate(R.fd, (off_t)R.file_used) != 0) result = -errno;
    R.last_counts.bytes = R.file_used;
  } else {
    if (!R.crashed) dump(0); /* else it is written already, and the program has survived */
    R.crashed = 0;
    take(&recorder_lock);
    result = -R.write_error;
    R.active = 0;
    *R.tables_end = R.ready_chunks;
    while ((c = R.tables) != NULL) {
      R.tables = c->next;
      release_chunk(c);
    }
    for (t = R.threads; t; t = t->next) {
      while ((c = t->oldest) != NULL) {
        t->oldest = c->next;
        if (is_complete(c)) release_chunk(c);
      }
    }
    R.last_counts.bytes = R.bytes_written;
  }
  close_file();
  while ((t = R.threads) != NULL) {
    R.threads = t->next;
    if (t->names) {
      t->names->next = R.free_names;
      R.free_names = t->names;
    }
    t->next = R.free_threads;
    R.free_threads = t;
  }
  give_lock();
  return result;
}

/* --- The helper thread --------------------------------------------------------------------------
 */

QUIET static void fill_pool(int most) {
  for (; most > 0; most--) {
    chunk* c;
    int enough;
    take(&recorder_lock);
    if (R.taken > R.ready_target / 2 && R.ready_target < kMostReady) R.ready_target *= 2;
    R.taken = 0;
    enough = !R.active || R.ready_count >= R.ready_target || !has_room(R.config.chunk_bytes, 0) ||
             (R.config.keep != TSD_KEEP_ALL && R.ready_count >= kLeastReady);
    c = enough ? NULL : make_chunk(R.config.chunk_bytes, 1);
    if (c) {
      chunk** end = &R.ready_chunks;
      while (*end) end = &(*end)->next;
      c->next = NULL;
      *end = c;
      R.ready_count++;
    }
    give_lock();
    if (!c) return;
  }
}

/* After 1, 10, 100 ms, 1 s, then every 10 s. */
QUIET static void sample_clock(uint64_t now) {
  static const uint32_t after_ms[4] = {1, 10, 100, 1000};
  moment m;
  if (now < R.clock_due_ns) return;
  m = take_moment();
  take(&recorder_lock);
  if (R.active) write_moment(&m);
  give_lock();
  R.clock_samples++;
  R.clock_due_ns = R.clock_samples < 4 ? R.start_ns + after_ms[R.clock_samples] * (uint64_t)1000000
                                       : now + 10 * kNsPerS;
}

/* What is due; returns until when there is nothing to do. */
QUIET static uint64_t help(void) {
  uint64_t now = now_ns();
  int signals = __atomic_exchange_n(&R.signalled, 0, __ATOMIC_SEQ_CST);
  for (; signals > 0; signals--) {
    if (R.active)
      stop_recording("signal");
    else
      start_recording("signal");
  }
  if (now >= R.start_at_ns) {
    R.start_at_ns = kNever;
    if (!R.active) start_recording("delay");
  }
  if (R.active && now >= R.stop_at_ns) stop_recording("delay");
  if (!R.active) return R.start_at_ns;
  fill_pool(8);
  close_waiting(0);
  fill_pool(kMostReady);
  now = now_ns();
  sample_clock(now);
  if (now >= R.modules_due_ns) {
    write_modules(tsd_clock(), 1);
    R.modules_due_ns = now + (uint64_t)kModulesEveryMs * 1000000;
  }
  return least(R.start_at_ns, least(R.stop_at_ns, least(R.clock_due_ns, R.modules_due_ns)));
}

QUIET static void* run_helper(void* unused) {
  (void)unused;
  prctl(PR_SET_NAME, "tsd", 0, 0, 0);
  tsd_this_lane.busy = 1; /* for good: a program may record in its own mmap or write */
  while (!__atomic_load_n(&R.quit, __ATOMIC_SEQ_CST)) {
    uint64_t until, now;
    long wait[2]; /* what the call takes, however long the program's time_t is */
    __atomic_store_n(&R.wake, 0, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&control_wanted, __ATOMIC_SEQ_CST)) usleep(50);
    take(&control_lock);
    until = __atomic_load_n(&R.quit, __ATOMIC_SEQ_CST) ? 0 : help();
    give(&control_lock);
    now = now_ns();
    if (until <= now) continue;
    wait[0] = (long)least((until - now) / kNsPerS, 1000000);
    wait[1] = (long)((until - now) % kNsPerS);
    syscall(SYS_futex, &R.wake, kFutexWait, 0, wait, NULL, 0);
  }
  return NULL;
}

/* Its creator blocks all signals, so that no handler of the program ever runs in it. */
QUIET static int ensure_helper(void) {
  sigset_t all, before;
  int result;
  if (R.has_helper) return 0;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  R.quit = 0;
  result = pthread_create(&R.helper, NULL, run_helper, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  R.has_helper = result == 0;
  return -result;
}

QUIET static void give_signals(void);

QUIET static void at_exit(void) {
  int joins;
  call c;
  if (!begin_control(&c)) return; /* exit() in a handler that interrupted the recorder */
  if (R.active && (is_live() || (R.config.stop & TSD_AT_EXIT))) stop_recording("exit");
  joins = R.has_helper;
  R.has_helper = 0;
  R.start_at_ns = kNever;
  R.ended = 1;
  __atomic_store_n(&R.quit, 1, __ATOMIC_SEQ_CST);
  give(&control_lock);
  if (joins) {
    wake_helper();
    pthread_join(R.helper, NULL);
  }
  /* It may be dlclose that calls this: nothing may lead here any more. */
  pthread_key_delete(R.key);
  give_signals();
  end_call(&c);
}

/* --- Signals and crashes ------------------------------------------------------------------------
 */

QUIET static void on_signal(int number) {
  const int error = errno;
  (void)number;
  __atomic_fetch_add(&R.signalled, 1, __ATOMIC_SEQ_CST);
  wake_helper();
  errno = error;
}

QUIET static void install_signal(void) {
  struct sigaction now, before;
  memset(&now, 0, sizeof now);
  now.sa_handler = on_signal;
  now.sa_flags = SA_RESTART;
  if (sigaction(R.config.signal, NULL, &before) != 0) {
    say("signal %d: %s", R.config.signal, strerror(errno));
  } else if ((before.sa_flags & SA_SIGINFO) ||
             (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN &&
              before.sa_handler != on_signal)) {
    say("signal %d is the program's own: unused here", R.config.signal);
  } else {
    sigaction(R.config.signal, &now, NULL);
  }
}

static const int crash_signals[5] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

QUIET static void on_crash(int number, siginfo_t* info, void* context) {
  struct sigaction* old = &R.old_crash[number];
  const int by_kill = info->si_code <= 0;
  (void)context;
  if (__atomic_exchange_n(&R.crashed, 1, __ATOMIC_SEQ_CST) == 0) {
    set_on(0);
    if (R.active) dump(1);
    __atomic_store_n(&R.crashed, 2, __ATOMIC_SEQ_CST);
  } else { /* another thread is at it */
    int waits;
    for (waits = 0; waits < 5000 && __atomic_load_n(&R.crashed, __ATOMIC_SEQ_CST) != 2; waits++)
      usleep(1000);
  }
  sigaction(number, old, NULL); /* the fault happens again, and is the previous handler's */
  if (by_kill) syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), number);
}

QUIET static void install_crash_handler(void) {
  struct sigaction now;
  size_t i;
  memset(&now, 0, sizeof now);
  now.sa_sigaction = on_crash;
  now.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++) {
    struct sigaction before;
    sigaction(crash_signals[i], &now, &before);
    if (before.sa_sigaction != on_crash) R.old_crash[crash_signals[i]] = before;
  }
}

/* To be gone: a signal that comes late is ignored, it has not ended the program before. */
QUIET static void give_signals(void) {
  struct sigaction now;
  size_t i;
  for (i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++) {
    const int number = crash_signals[i];
    if (sigaction(number, NULL, &now) == 0 && now.sa_sigaction == on_crash)
      sigaction(number, &R.old_crash[number], NULL);
  }
  if (sigaction(R.config.signal, NULL, &now) == 0 && now.sa_handler == on_signal) {
    now.sa_handler = SIG_IGN;
    sigaction(R.config.signal, &now, NULL);
  }
}

/* --- Fork ----------------------------------------------------------------------------------------
 */

static __thread int fork_has_locks __attribute__((tls_model("initial-exec")));

/* So that the names are whole in the child. */
QUIET static void before_fork(void) {
  fork_has_locks = !tsd_this_lane.busy;
  if (!fork_has_locks) return; /* fork in a handler that interrupted the recorder */
  tsd_this_lane.busy = 1;
  take_control();
  take(&recorder_lock);
}

QUIET static void after_fork_in_parent(void) {
  if (!fork_has_locks) return;
  give_lock();
  give(&control_lock);
  tsd_this_lane.busy = 0;
}

/* The chunks are the parent's, and so is the file: not a byte of them changes. */
QUIET static void after_fork_in_child(void) {
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  tsd_lane* lane = &tsd_this_lane;
  const int was_active = R.active;
  const uint64_t start_at = R.start_at_ns;
  tsd_thread* t;
  set_on(0);
  set_limit(lane, NULL);
  set_next(lane, NULL);
  lane->thread = NULL;
  lane->dropped = 0;
  control_wanted = 0;
  recorder_lock = fresh;
  control_lock = fresh;
  if (R.active) close_file();
  if (R.header) { /* what is written there is the parent's */
    munmap(R.header, (size_t)R.system_pages);
    close(R.header_fd);
    R.header = NULL;
  }
  R.active = R.has_helper = 0;
  R.recording++;
  R.nth = 0;
  R.wake = R.wakes = R.signalled = 0;
  R.start_at_ns = R.stop_at_ns = kNever;
  while ((t = R.threads) != NULL) {
    R.threads = t->next;
    t->next = R.free_threads;
    R.free_threads = t;
  }
  forget_recording();
  memset(&R.last_counts, 0, sizeof R.last_counts);
  if (was_active && R.config.fork_child == TSD_CHILD_FILE && fork_has_locks) {
    take_control();
    start_recording("fork");
    give(&control_lock);
  } else if (R.config.fork_child == TSD_CHILD_FILE && fork_has_locks &&
             (start_at != kNever || ((R.config.start | R.config.stop) & TSD_SIGNAL))) {
    R.start_at_ns = start_at; /* as the parent, it has still to begin */
    ensure_helper();
  }
  if (fork_has_locks) lane->busy = 0;
}

/* --- Configuration ------------------------------------------------------------------------------
 */

QUIET void tsd_config_default(tsd_config* config) {
  memset(config, 0, sizeof *config);
  config->size = sizeof *config;
  config->path = "%e-%p.tsd";
  config->bytes_per_thread = 4 << 20;
  config->chunk_bytes = 256 << 10;
  config->stop = TSD_AT_EXIT;
  config->signal = SIGUSR2;
}

typedef struct word {
  const char* text;
  int value;
} word;

QUIET static void read_word(const char* name, int* to, const word* words) {
  const char* value = secure_getenv(name);
  char all[128];
  size_t length = 0;
  const word* w;
  if (!value) return;
  all[0] = 0;
  for (w = words; w->text; w++) {
    if (strcmp(value, w->text) == 0) {
      *to = w->value;
      return;
    }
    length = append_text(all, length, sizeof all, w == words ? "" : ", ");
    length = append_text(all, length, sizeof all, w->text);
  }
  say("%s=%s: expected one of %s", name, value, all);
}

QUIET static int number_of(const char* digits, uint64_t* to) {
  char* end;
  unsigned long long value;
  int shift = 0;
  if (*digits < '0' || *digits > '9') return 0;
  errno = 0;
  value = strtoull(digits, &end, 10);
  if (*end == 'k' || *end == 'K') shift = 10;
  if (*end == 'm' || *end == 'M') shift = 20;
  if (*end == 'g' || *end == 'G') shift = 30;
  if (shift) end++;
  if (*end || errno || value > UINT64_MAX >> shift) return 0;
  *to = (uint64_t)value << shift;
  return 1;
}

QUIET static void read_bytes(const char* name, uint64_t* to) {
  const char* value = secure_getenv(name);
  if (value && !number_of(value, to)) say("%s=%s: expected bytes, as 4M or 256k", name, value);
}

QUIET static int signal_of(const char* name) {
  static const word names[] = {{"USR1", SIGUSR1},   {"USR2", SIGUSR2}, {"HUP", SIGHUP},
                               {"INT", SIGINT},     {"QUIT", SIGQUIT}, {"TERM", SIGTERM},
                               {"WINCH", SIGWINCH}, {"URG", SIGURG},   {"IO", SIGIO},
                               {"PWR", SIGPWR},     {NULL, 0}};
  const word* w;
  uint64_t number;
  if (strncmp(name, "SIG", 3) == 0) name += 3;
  for (w = names; w->text; w++) {
    if (strcmp(name, w->text) == 0) return w->value;
  }
  return number_of(name, &number) && number > 0 && number < NSIG ? (int)number : 0;
}

/* One of "now", "delay:MS", "after:MS", "call", "signal[:NAME]", "exit"; -1 if it is none. */
QUIET static int read_when(const char* given, size_t length, uint32_t* delay_ms, int* number,
                           int starts) {
  char one[64];
  uint64_t ms;
  if (length >= sizeof one) return -1;
  memcpy(one, given, length);
  one[length] = 0;
  if (starts && strcmp(one, "now") == 0) return TSD_NOW;
  if (!starts && strcmp(one, "exit") == 0) return TSD_AT_EXIT;
  if (strcmp(one, "call") == 0) return TSD_CALL;
  if (strcmp(one, "signal") == 0) return TSD_SIGNAL;
  if (strncmp(one, "signal:", 7) == 0 && signal_of(one + 7)) {
    *number = signal_of(one + 7);
    return TSD_SIGNAL;
  }
  if (strncmp(one, starts ? "delay:" : "after:", 6) == 0 && number_of(one + 6, &ms) &&
      ms <= UINT32_MAX) {
    *delay_ms = (uint32_t)ms;
    return TSD_DELAY;
  }
  return -1;
}

QUIET static void read_environment(tsd_config* c) {
  static const word modes[] = {{"live", TSD_LIVE}, {"memory", TSD_MEMORY}, {NULL, 0}};
  static const word keeps[] = {
      {"all", TSD_KEEP_ALL}, {"first", TSD_KEEP_FIRST}, {"last", TSD_KEEP_LAST}, {NULL, 0}};
  static const word packs[] = {
      {"raw", TSD_RAW}, {"packed", TSD_PACKED}, {"lz4", TSD_LZ4}, {NULL, 0}};
  static const word clocks[] = {{"auto", TSD_CLOCK_AUTO},
                                {"tsc", TSD_CLOCK_TSC},
                                {"monotonic", TSD_CLOCK_MONOTONIC},
                                {NULL, 0}};
  static const word forks[] = {{"off", TSD_CHILD_OFF}, {"file", TSD_CHILD_FILE}, {NULL, 0}};
  static const word flags[] = {{"0", 0}, {"1", 1}, {NULL, 0}};
  const char* value = secure_getenv("TSD_PATH");
  uint64_t bytes = c->chunk_bytes;
  if (value && *value) c->path = value;
  read_word("TSD_MODE", &c->mode, modes);
  read_word("TSD_KEEP", &c->keep, keeps);
  read_bytes("TSD_BYTES_PER_THREAD", &c->bytes_per_thread);
  read_bytes("TSD_BYTES", &c->bytes_total);
  read_bytes("TSD_CHUNK", &bytes);
  c->chunk_bytes = bytes > 1u << 30 ? 1u << 30 : (uint32_t)bytes;
  read_word("TSD_PACK", &c->pack, packs);
  read_word("TSD_CLOCK", &c->clock, clocks);
  read_word("TSD_FORK", &c->fork_child, forks);
  read_word("TSD_CRASH", &c->crash_handler, flags);
  if ((value = secure_getenv("TSD_INCLUDE")) != NULL) c->include = value;
  if ((value = secure_getenv("TSD_EXCLUDE")) != NULL) c->exclude = value;
  if ((value = secure_getenv("TSD_START")) != NULL) {
    const int when = read_when(value, strlen(value), &c->start_delay_ms, &c->signal, 1);
    if (when >= 0)
      c->start = when;
    else
      say("TSD_START=%s: expected now, delay:MS, call or signal[:NAME]", value);
  }
  if ((value = secure_getenv("TSD_STOP")) != NULL) { /* several with commas: "signal,exit" */
    const char *at = value, *start = secure_getenv("TSD_START");
    const int named = start && c->start == TSD_SIGNAL && strchr(start, ':') ? c->signal : 0;
    int stop = 0;
    while (stop >= 0) {
      const size_t length = strcspn(at, ",");
      const int when = read_when(at, length, &c->stop_delay_ms, &c->signal, 0);
      stop = when < 0 ? -1 : stop | when;
      if (named && c->signal != named) { /* one signal starts, stops and starts again */
        c->signal = named;
        stop = -1;
      }
      if (!at[length]) break;
      at += length + 1;
    }
    if (stop >= 0)
      c->stop = stop;
    else
      say("TSD_STOP=%s: expected exit, after:MS, call or signal[:NAME]", value);
  }
}

QUIET static void make_sane(tsd_config* c) {
  const uint64_t least_chunk = page_up(kLeastChunk), most_chunk = 64 << 20;
  uint64_t bytes = c->chunk_bytes ? c->chunk_bytes : 256 << 10;
  if (c->mode != TSD_MEMORY) c->mode = TSD_LIVE;
  if (c->keep < TSD_KEEP_ALL || c->keep > TSD_KEEP_LAST) c->keep = TSD_KEEP_ALL;
  if (c->bytes_per_thread == 0) c->bytes_per_thread = 4 << 20;
  if (c->keep == TSD_KEEP_LAST) { /* one is written while the other still holds what came before */
    if (c->bytes_per_thread < 2 * least_chunk) c->bytes_per_thread = 2 * least_chunk;
    if (bytes > c->bytes_per_thread / 2)
      bytes = c->bytes_per_thread / 2 / least_chunk * least_chunk;
  } else if (c->keep == TSD_KEEP_FIRST && bytes > c->bytes_per_thread) {
    bytes = c->bytes_per_thread;
  }
  if (bytes < least_chunk) bytes = least_chunk;
  if (bytes > most_chunk) bytes = most_chunk;
  c->chunk_bytes = (uint32_t)page_up((size_t)bytes);
  if (c->bytes_total == 0) c->bytes_total = c->mode == TSD_LIVE ? (uint64_t)2 << 30 : 256 << 20;
  if (c->bytes_total < 2 * (uint64_t)c->chunk_bytes + kTableBytes)
    c->bytes_total = 2 * (uint64_t)c->chunk_bytes + kTableBytes;
  if (sizeof(void*) == 4 && c->bytes_total > (uint64_t)1 << 30 && c->mode == TSD_MEMORY)
    c->bytes_total = 1 << 30;
  if (c->pack != TSD_PACKED && c->pack != TSD_LZ4) c->pack = TSD_RAW;
#ifndef TSD_WITH_LZ4
  if (c->pack == TSD_LZ4) {
    say("built without LZ4: the dump is plain");
    c->pack = TSD_RAW;
  }
#endif
  if (c->signal <= 0 || c->signal >= NSIG) c->signal = SIGUSR2;
  if (c->fork_child == TSD_CHILD_FILE && !strstr(R.path, "%p")) {
    say("%s: recording children needs %%p in the path", R.path);
    c->fork_child = TSD_CHILD_OFF;
  }
}

QUIET static void copy_text(char* to, size_t bytes, const char* from) {
  to[0] = 0;
  if (from) append_text(to, 0, bytes, from);
}

/* Without `lock`, with `control` and `busy`: expressions that are none are said and refused. */
QUIET static int set_filter(const char* include, const char* exclude) {
  static regex wanted, unwanted; /* too large for small stacks */
  const char *include_text = include ? include : "", *exclude_text = exclude ? exclude : "";
  int result = 0, which = 0;
  if (!make_regex(&wanted, include_text) || strlen(include_text) >= sizeof R.include) {
    which = 1;
  } else if (!make_regex(&unwanted, exclude_text) || strlen(exclude_text) >= sizeof R.exclude) {
    which = 2;
  }
  if (which) {
    say("%s %s: not a regular expression", which == 1 ? "include" : "exclude",
        which == 1 ? include_text : exclude_text);
    result = -EINVAL;
  } else {
    take(&recorder_lock);
    R.wanted = wanted;
    R.unwanted = unwanted;
    copy_text(R.include, sizeof R.include, include_text);
    copy_text(R.exclude, sizeof R.exclude, exclude_text);
    if (R.active) {
      write_fact("include", R.include);
      write_fact("exclude", R.exclude);
    }
    ask_texts_again();
    give_lock();
    if (R.site_count) dl_iterate_phdr(ask_again, NULL);
  }
  return result;
}

QUIET static int init(const tsd_config* given, int from_environment) {
  tsd_config config;
  int result;
  if (R.ready && (R.active || R.from_environment)) return -EALREADY;
  tsd_config_default(&config);
  if (given) {
    const size_t size = given->size && given->size < sizeof config ? given->size : sizeof config;
    memcpy(&config, given, size);
    config.size = sizeof config;
    if (!config.path || !*config.path) config.path = "%e-%p.tsd";
  }
  read_environment(&config);
  R.system_pages = (int)sysconf(_SC_PAGESIZE);
  if (R.system_pages < kPage) R.system_pages = kPage;
  if (strcmp(R.path, config.path) != 0) R.nth = 0;
  copy_text(R.path, sizeof R.path, config.path);
  make_sane(&config);
  R.config = config;
  R.fd = -1;
  R.start_at_ns = R.stop_at_ns = kNever;
  result = 0;
  if (!R.ready) {
    make_crc_table();
    result = pthread_key_create(&R.key, thread_ends);
  }
  if (!R.ready && result == 0)
    result = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  if (!R.ready && result == 0) result = atexit(at_exit) == 0 ? 0 : ENOMEM;
  if (result != 0) {
    if (from_environment) say("%s: nothing is recorded", strerror(result));
    return -result;
  }
  R.barrier = syscall(SYS_membarrier, kMembarrierRegister, 0, 0) == 0;
  set_filter(config.include, config.exclude);
  R.config.include = R.config.exclude = R.config.path = NULL; /* they are copied */
  R.ready = 1;
  R.from_environment = from_environment;
  if ((config.start == TSD_SIGNAL) || (config.stop & TSD_SIGNAL)) install_signal();
  if (config.crash_handler && config.mode == TSD_MEMORY) install_crash_handler();
  if (config.start == TSD_NOW) return start_recording("now");
  if (config.start == TSD_DELAY)
    R.start_at_ns = now_ns() + (uint64_t)config.start_delay_ms * 1000000;
  return config.start == TSD_CALL ? 0 : ensure_helper();
}

QUIET static int is_switched_off(void) {
  const char* off = secure_getenv("TSD_OFF");
  return off && strcmp(off, "1") == 0;
}

/* Another library has all of this as well, and the program takes its functions for both. */
#ifdef __cplusplus
extern "C"
#else
extern
#endif
    QUIET tsd_slot*
    tsd_more_here(uint32_t slots, int how) __attribute__((alias("tsd_more"), visibility("hidden")));

/* Before the constructors of the program, so that they are recorded as well. */
__attribute__((constructor(101))) QUIET static void init_from_environment(void) {
  const char *path = secure_getenv("TSD_PATH"), *start = secure_getenv("TSD_START");
  tsd_slot* (*volatile here)(uint32_t, int) = tsd_more_here; /* clang takes them for different */
  call c;
  if (tsd_more != here) return;
  if (is_switched_off() || ((!path || !*path) && (!start || !*start)) || !begin_control(&c)) return;
  init(NULL, 1);
  end_control(&c);
}

/* --- Records of the functions, which need not be as fast as those of the macros -----------------
 */

/* One copy for all of them. */
QUIET_HOT __attribute__((noinline)) static tsd_slot* claim(uint32_t slots, int how, uint64_t* tick,
                                                           uint32_t* stretch) {
  return tsd_claim(slots, how, tick, stretch);
}

QUIET_HOT __attribute__((noinline)) static uint32_t put_record(uint64_t meta, int how,
                                                               uint32_t stretch) {
  uint64_t tick = tsd_clock();
  tsd_slot* slot = claim(1, how, &tick, &stretch);
  if (slot) tsd_put(slot, tick, meta);
  return stretch;
}
QUIET_HOT __attribute__((noinline)) static void put_with(uint64_t meta, uint64_t value,
                                                         uint64_t value_meta) {
  uint64_t tick = tsd_clock();
  uint32_t stretch;
  tsd_slot* slot = claim(2, TSD_BEGINS, &tick, &stretch);
  if (!slot) return;
  tsd_put(slot + 1, value, value_meta);
  tsd_put(slot, tick, meta);
}
QUIET_HOT __attribute__((noinline)) static void put_enter(uint32_t id) {
  uint64_t zone = 0;
  if (id) zone = (uint64_t)put_record(TSD_META(TSD_KIND_ENTER, 0, id), TSD_BEGINS, 0) << 32 | id;
  tsd_note_enter(zone);
}

/* --- The API ------------------------------------------------------------------------------------
 */

QUIET int tsd_init(const tsd_config* config) {
  int result;
  call c;
  if (is_switched_off()) return 0;
  if (!begin_control(&c)) return -EBUSY;
  result = init(config, 0);
  end_control(&c);
  return result;
}

QUIET int tsd_start(void) {
  int result = 0;
  call c;
  if (is_switched_off()) return 0;
  if (!begin_control(&c)) return -EBUSY;
  if (!R.ready) {
    tsd_config config;
    tsd_config_default(&config);
    config.start = TSD_CALL;
    result = init(&config, 0);
  }
  if (result == 0) result = start_recording("call");
  end_control(&c);
  return result;
}

QUIET int tsd_stop(void) {
  int result;
  call c;
  if (!begin_control(&c)) return -EBUSY;
  result = stop_recording("call");
  end_control(&c);
  return result;
}

QUIET void tsd_pause(void) {
  call c;
  if (!begin_control(&c)) return;
  take(&recorder_lock);
  if (R.active && !R.paused) {
    const uint64_t now = tsd_clock();
    tsd_thread* t;
    R.paused = 1;
    set_on(0);
    for (t = R.threads; t; t = t->next) {
      if (!lane_of(t)) continue;
      if (!t->paused_tick) t->paused_tick = now; /* else nothing was recorded since the last one */
      __atomic_store_n(&t->lane->limit, (tsd_slot*)NULL, __ATOMIC_SEQ_CST);
    }
  }
  give_lock();
  end_control(&c);
}

QUIET void tsd_resume(void) {
  call c;
  if (!begin_control(&c)) return;
  take(&recorder_lock);
  if (R.active && R.paused) {
    R.paused = 0;
    set_on(next_stretch());
  }
  give_lock();
  end_control(&c);
}

QUIET int tsd_recording(void) {
  return tsd_is_on() != 0;
}

QUIET int tsd_set_filter(const char* include, const char* exclude) {
  int result;
  call c;
  if (!begin_control(&c)) return -EBUSY;
  result = R.ready ? set_filter(include, exclude) : -EINVAL;
  end_control(&c);
  return result;
}

QUIET void tsd_get_counts(tsd_counts* counts) {
  call c;
  memset(counts, 0, sizeof *counts);
  if (!begin_locked(&c)) return;
  if (R.active)
    count_all(counts);
  else
    *counts = R.last_counts;
  end_locked(&c);
}

QUIET void tsd_thread_attach(const char* name) {
  tsd_lane* lane = &tsd_this_lane;
  call c;
  if (!begin_locked(&c)) return;
  if (name) copy_text(lane->name, sizeof lane->name, name);
  if (R.active && lane->ended < kEnded) {
    tsd_thread* t = thread_of(lane);
    if (t) {
      name_thread(t);
      write_thread(t, 0);
    } else {
      claim_slowly(lane, 0, TSD_BEGINS); /* the first record is then as fast as any */
    }
  }
  end_locked(&c);
}

QUIET void tsd_thread_detach(void) {
  tsd_lane* lane = &tsd_this_lane;
  call c;
  if (!begin_locked(&c)) return;
  if (R.active && lane->ended < kEnded) {
    detach(lane);
    lane->thread = NULL;
    lane->name[0] = 0;
  }
  end_locked(&c);
}

QUIET uint32_t tsd_string(const char* bytes, size_t length) {
  uint32_t id = 0;
  call c;
  if (!bytes || !begin_locked(&c)) return 0;
  if (R.ready) id = intern(bytes, length);
  end_locked(&c);
  return id;
}

/* A text of this thread that was met before is found without the lock: by address, then content. */
QUIET_HOT static cached_name* find_name(const char* name, size_t length, uint32_t hash) {
  tsd_thread* t = thread_of(&tsd_this_lane);
  cached_name* found;
  if (!t || !t->names) return NULL;
  found = &t->names[hash % kCachedNames];
  return found->text && found->length == length && memcmp(found->text, name, length) == 0 ? found
                                                                                          : NULL;
}

/* With `lock`; null if it cannot be done now. */
QUIET static cached_name* learn_name(const char* name, size_t length, uint32_t hash, int as_site) {
  tsd_lane* lane = &tsd_this_lane;
  cached_name* found = NULL;
  tsd_thread* t;
  uint32_t id;
  if (R.active && tsd_is_on()) {
    t = thread_of(lane);
    if (!t && lane->ended < kEnded && attach(lane)) t = lane->thread;
    if (t) {
      if (!t->names) {
        t->names = R.free_names;
        if (t->names)
          R.free_names = t->names->next;
        else
          t->names = (cached_name*)keep(sizeof(cached_name) * kCachedNames);
        if (t->names) memset(t->names, 0, sizeof(cached_name) * kCachedNames);
      }
      id = t->names ? intern(name, length) : 0;
      if (id) {
        found = &t->names[hash % kCachedNames];
        found->text = NULL; /* until it is whole: a handler may look */
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        found->length = text_at(id)->length;
        found->string = id;
        if (as_site && !text_at(id)->site) {
          const uint32_t made = add_site(NULL, text_at(id)->bytes, NULL, NULL, 0, 0);
          text_at(id)->site = made;
        }
        found->site = text_at(id)->site;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        found->text = text_at(id)->bytes;
      }
    }
  }
  return found;
}

QUIET_HOT static uint32_t key_of(const char* key) {
  const size_t length = strlen(key);
  const uint32_t hash = hash_of(key, length);
  cached_name* found = find_name(key, length, hash);
  uint32_t id = 0;
  call c;
  if (found) return found->string;
  if (!begin_locked(&c)) return 0;
  found = learn_name(key, length, hash, 0);
  if (found) id = found->string;
  end_locked(&c);
  return id;
}

QUIET_HOT void tsd_enter_text(const char* name, size_t length) {
  tsd_lane* lane = &tsd_this_lane;
  uint32_t hash, id = 0;
  cached_name* found;
  if (!tsd_is_on() || !name) return;
  hash = hash_of(name, length);
  found = find_name(name, length, hash);
  if (!found || !found->site) {
    call c;
    found = NULL;
    if (begin_locked(&c)) {
      found = learn_name(name, length, hash, 1);
      end_locked(&c);
    }
    if ((!found || !found->site) && tsd_is_on()) tsd_count_dropped(1);
  }
  if (found && !(found->site & kSiteOut)) id = found->site;
  if (!id) lane->left_out = next_of(lane);
  put_enter(id);
}

QUIET_HOT void tsd_managed_enter(uint16_t assembly, uint32_t class_token, uint32_t method_token) {
  const uint64_t meta = TSD_META(TSD_KIND_ENTER_MANAGED, assembly, method_token);
  if (!tsd_is_on()) return;
  if (class_token)
    put_with(meta, 0, TSD_META(TSD_KIND_CLASS, 0, class_token));
  else
    put_record(meta, TSD_BEGINS, 0);
}

QUIET_HOT void tsd_managed_exit(uint16_t assembly, uint32_t method_token) {
  const uint64_t meta = TSD_META(TSD_KIND_EXIT_MANAGED, assembly, method_token);
  if (tsd_is_on()) put_record(meta, TSD_ENDS, tsd_this_lane.stretch);
}

QUIET_HOT void tsd_enter(tsd_site* s) {
  if (tsd_is_on()) put_enter(tsd_site_id(s));
}
QUIET_HOT void tsd_leave(void) {
  const uint32_t stretch = tsd_is_on() ? tsd_note_leave() : 0;
  if (stretch) put_record(TSD_META(TSD_KIND_EXIT, 0, 0), TSD_ENDS, stretch);
}
QUIET_HOT void tsd_instant(tsd_site* s) {
  const uint32_t id = tsd_is_on() ? tsd_site_id(s) : 0;
  if (id) put_record(TSD_META(TSD_KIND_INSTANT, 0, id), TSD_BEGINS, 0);
}
QUIET_HOT void tsd_counter(tsd_site* s, double value) {
  const uint32_t id = tsd_is_on() ? tsd_site_id(s) : 0;
  if (id) {
    put_with(TSD_META(TSD_KIND_COUNTER, 0, id), tsd_bits(value), TSD_META(TSD_KIND_VALUE, 0, 0));
  }
}

/* --- Attachments --------------------------------------------------------------------------------
 */

QUIET_HOT static uint32_t slots_for(size_t length) {
  return 1 + (uint32_t)(length > 8 ? (length - 8 + 13) / 14 : 0);
}

/* 8 bytes in the attachment, 14 in each CONT; the attachment last, so that it is whole or absent.
 */
QUIET static void put_value(tsd_slot* slot, uint32_t kind, uint32_t id, const void* data,
                            size_t length) {
  const unsigned char* from = (const unsigned char*)data;
  uint64_t words[2], first = 0;
  tsd_slot* to = slot;
  size_t at = 0, most = 8;
  for (;;) {
    const size_t left = length - at, part = left < most ? left : most;
    words[0] = words[1] = 0;
    if (part == 8)
      memcpy(words, from + at, 8);
    else if (part)
      memcpy(words, from + at, part);
    if (to == slot)
      first = words[0];
    else
      tsd_put(to, words[0], (uint64_t)TSD_KIND_CONT << 48 | words[1]);
    at += part;
    if (at == length) break;
    most = 14;
    to++;
  }
  tsd_put(slot, first, TSD_META(kind, (uint32_t)length, id));
}

/* The record before was left out by a filter, or there is none: what belongs to it is left out,
 * too. */
QUIET_HOT static int has_record(void) {
  const tsd_slot* next = next_of(&tsd_this_lane);
  return next ? next != tsd_this_lane.left_out : tsd_this_lane.left_out == LOST_RECORD;
}

/* What fits a chunk of the smallest kind is always taken; longer values are cut, and that counted.
 */
QUIET_HOT static size_t cut(size_t length) {
  const size_t most = ((size_t)R.config.chunk_bytes - kHeader) / kSlot * 14 - 64;
  const size_t least_of = most < 65535 ? most : 65535;
  if (length <= least_of) return length;
  tsd_count_dropped(1);
  return least_of;
}

QUIET_HOT __attribute__((noinline)) static void attach_value(uint32_t kind, uint32_t id,
                                                             const void* data, size_t length) {
  uint64_t unused;
  uint32_t stretch;
  tsd_slot* slot = claim(slots_for(length), TSD_ATTACHES, &unused, &stretch);
  if (slot) put_value(slot, kind, id, data, length);
}

/* Without an id there is no room for its name any more. */
QUIET_HOT static void attach_argument(uint32_t id, uint32_t type, const void* data, size_t length) {
  if (id)
    attach_value(TSD_KIND_ARG, id | type << 24, data, cut(length));
  else
    tsd_count_dropped(1);
}

QUIET_HOT static void attach_keyed(tsd_key* key, uint32_t type, const void* data, size_t length) {
  uint32_t id;
  if (!has_record()) return;
  id = __atomic_load_n(&key->id, __ATOMIC_RELAXED);
  if (!id) {
    id = tsd_string(key->text, strlen(key->text));
    __atomic_store_n(&key->id, id, __ATOMIC_RELAXED);
  }
  attach_argument(id, type, data, length);
}

QUIET_HOT void tsd_argument(tsd_key* key, uint32_t type, uint64_t value) {
  attach_keyed(key, type, &value, type == TSD_BOOL ? 1 : 8);
}
QUIET_HOT void tsd_argument_text(tsd_key* key, const char* bytes, size_t length) {
  attach_keyed(key, TSD_TEXT, bytes, length);
}
QUIET_HOT tsd_slot* tsd_argument_at(tsd_slot* end, const char* key, uint32_t type, const void* data,
                                    size_t length) {
  const uint32_t slots = slots_for(length);
  const uint32_t id = tsd_is_on() && length <= 65535 ? key_of(key) : 0;
  tsd_lane* lane = &tsd_this_lane;
  tsd_slot *to = end + slots, *found = end;
  if (!id || !end || next_of(lane) != end) return NULL;
  if ((uintptr_t)to > (uintptr_t)__atomic_load_n(&lane->limit, __ATOMIC_RELAXED)) {
    /* A new chunk: an attachment belongs to the last record of the chunk before, too. */
    call c;
    if (!begin_locked(&c)) return NULL; /* no handler comes between from here on */
    found = next_of(lane) == end ? claim_slowly(lane, slots, TSD_ATTACHES) : NULL;
    end_locked(&c);
    if (!found) return NULL;
    end = found;
    to = end + slots;
  } else {
    int done;
#ifdef TSD_CLAIM_BY_CMPXCHG
    __asm__ __volatile__("cmpxchgq %3, %1"
                         : "=@ccz"(done), "+m"(lane->next), "+a"(found)
                         : "r"(to)
                         : "memory");
#else
    if (__atomic_load_n(&lane->busy, __ATOMIC_RELAXED)) return NULL;
    __atomic_store_n(&lane->busy, 1u, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    done = next_of(lane) == end &&
           (uintptr_t)to <= (uintptr_t)__atomic_load_n(&lane->limit, __ATOMIC_RELAXED);
    if (done) __atomic_store_n(&lane->next, to, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&lane->busy, 0u, __ATOMIC_RELEASE);
#endif
    if (!done) return NULL;
  }
  put_value(end, TSD_KIND_ARG, id | type << 24, data, length);
  return to;
}

QUIET_HOT void tsd_argument_behind(const char* key, uint32_t type, const void* data,
                                   size_t length) {
  if (tsd_is_on() && has_record()) attach_argument(key_of(key), type, data, length);
}

/* Its end last, so that it is there with all of them or not at all. */
QUIET_HOT void tsd_end_with(uint64_t zone, const tsd_kept* kept, int count) {
  uint32_t ids[TSD_MOST_KEPT], slots = 1, stretch = (uint32_t)(zone >> 32);
  uint64_t tick;
  tsd_slot *end, *to;
  int i;
  for (i = 0; i < count; i++) {
    ids[i] = key_of(kept[i].key);
    if (ids[i])
      slots += slots_for(kept[i].length);
    else
      tsd_count_dropped(1);
  }
  tick = tsd_clock();
  end = to = claim(slots, TSD_ENDS, &tick, &stretch);
  if (!end) return;
  for (i = 0, to++; i < count; i++) {
    if (!ids[i]) continue;
    put_value(to, TSD_KIND_ARG, ids[i] | kept[i].type << 24, kept[i].bytes, kept[i].length);
    to += slots_for(kept[i].length);
  }
  tsd_put(end, tick, TSD_META(TSD_KIND_EXIT, 0, (uint32_t)zone));
}

enum { kMostFrames = 512 };

QUIET_HOT static void attach_stack(int kind, const uint64_t* entries, int count) {
  if (count <= 0) return;
  if (count > kMostFrames) count = kMostFrames;
  attach_value(TSD_KIND_STACK, (uint32_t)kind & 255, entries, (size_t)count * 8);
}

QUIET void tsd_stack_entries(int kind, const uint64_t* entries, int count) {
  if (tsd_is_on() && has_record()) attach_stack(kind, entries, count);
}

#ifdef TSD_UNWIND
typedef struct unwinding {
  uint64_t frames[kMostFrames];
  int count, most;
} unwinding;

QUIET static _Unwind_Reason_Code see_frame(struct _Unwind_Context* context, void* data) {
  unwinding* u = (unwinding*)data;
  if (u->count == u->most) return _URC_END_OF_STACK;
  u->frames[u->count++] = (uint64_t)_Unwind_GetIP(context);
  return _URC_NO_REASON;
}
#else
/* The end of the mapping that an address of the stack lies in, read without malloc: 0 if unknown.
 */
QUIET static uintptr_t mapping_end(uintptr_t address) {
  char block[4096];
  uintptr_t value = 0, from = 0, found = 0;
  int field = 0; /* begin, end, rights, all else */
  ssize_t got, i;
  const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  while (fd >= 0 && !found && (got = read(fd, block, sizeof block)) > 0) {
    for (i = 0; i < got && !found; i++) {
      const char c = block[i];
      if (c == '\n') {
        field = 0;
        value = 0;
      } else if (field == 2) {
        if (c == 'r' && address >= from && address < value) found = value;
        field = 3;
      } else if (c == '-' && field == 0) {
        from = value;
        value = 0;
        field = 1;
      } else if (c == ' ' && field == 1) {
        field = 2;
      } else if (field < 2) {
        value = value << 4 | (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
      }
    }
  }
  if (fd >= 0) close(fd);
  return found;
}

static __thread struct {
  uintptr_t begin, end;
} known_stack __attribute__((tls_model("initial-exec")));
#endif

/* Frame pointers: return addresses rise with the frames, within the stack. */
QUIET __attribute__((noinline)) void tsd_stack_native(int most) {
  if (!tsd_is_on() || !has_record() || most <= 0) return;
  if (most > kMostFrames) most = kMostFrames;
#ifdef TSD_UNWIND
  {
    unwinding u;
    u.count = 0;
    u.most = most;
    _Unwind_Backtrace(see_frame, &u);
    if (u.count > 1) attach_stack(1, u.frames + 1, u.count - 1);
  }
#else
  {
    uint64_t frames[kMostFrames];
    int count = 0;
    const uintptr_t* frame = (const uintptr_t*)__builtin_frame_address(0);
    const uintptr_t first = (uintptr_t)frame;
    if (first < known_stack.begin || first >= known_stack.end) {
      const int error = errno;
      known_stack.end = mapping_end(first);
      known_stack.begin = known_stack.end ? first & ~(uintptr_t)0xffff : 0;
      errno = error;
    }
    while (count < most && (uintptr_t)frame % sizeof(void*) == 0 &&
           (uintptr_t)frame + 2 * sizeof(void*) <= known_stack.end) {
      const uintptr_t* caller = (const uintptr_t*)frame[0];
      if (frame[1] < 4096) break;
      frames[count++] = frame[1];
      if (caller <= frame) break;
      frame = caller;
    }
    attach_stack(1, frames, count);
  }
#endif
}

QUIET void tsd_modules_changed(void) {
  call c;
  if (!begin_control(&c)) return;
  if (tsd_is_on()) write_modules(tsd_clock(), 0);
  end_control(&c);
}

#endif
