/* What the tests record: cases NAME [ARGUMENT...]. Numbers that a test needs go to standard output.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tsd.h"

extern char** environ;

static void zones(int count) {
  int i;
  for (i = 0; i < count; i++) {
    TSD_ZONE("zone");
  }
}

static int fib(int n) {
  TSD_FUNCTION();
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* Between records, so that a test's files stay small. */
static void work(int rounds) {
  volatile int i;
  for (i = 0; i < rounds; i++) {
  }
}

static void nap(int ms) {
  usleep((useconds_t)ms * 1000);
}

static int argument(char** argv, int i, int otherwise) {
  int k;
  for (k = 0; k < i; k++) {
    if (!argv[k]) return otherwise;
  }
  return argv[i] ? atoi(argv[i]) : otherwise;
}

/* Every macro and function once. */
static int macros(char** argv) {
  static tsd_site by_call = {"by call", "calls", "cases.c", 7, 0x0000ffu, 0, 0};
  static tsd_site counted = {"counted", NULL, NULL, 0, 0, 0, 0};
  const uint64_t frames[3] = {(uint64_t)3 << 32 | 0x06000001, (uint64_t)3 << 32 | 0x06000002, 5};
  const char* text = "a text of more than eight bytes";
  char name[] = "made at run time";
  (void)argv;
  TSD_THREAD("first thread");
  {
    TSD_ZONE("zone");
    TSD_ARG_TEXT("text", text, strlen(text));
    TSD_ARG_I64("i64", -5);
    TSD_ARG_U64("u64", UINT64_MAX);
    TSD_ARG_F64("f64", 2.5);
    TSD_ARG_BOOL("bool", 1);
    TSD_ARG_POINTER("pointer", (void*)0x1234);
    { TSD_ZONE_IN("category", "in category"); }
  }
  TSD_ENTER("entered");
  TSD_ENTER("inside");
  TSD_STACK();
  TSD_LEAVE();
  TSD_LEAVE();
  TSD_LEAVE(); /* nothing is open: nothing is written */
  TSD_INSTANT("instant");
  TSD_COUNTER("counter", 0.25);
  TSD_ASYNC_BEGIN("async", 42);
  TSD_ASYNC_END("async", 42);
  TSD_FLOW_BEGIN("flow", 43);
  TSD_FLOW_STEP("flow", 43);
  TSD_FLOW_END("flow", 43);
  tsd_enter(&by_call);
  tsd_leave();
  tsd_instant(&by_call);
  tsd_counter(&counted, 8);
  tsd_enter_text(name, strlen(name));
  name[0] = 'M';
  TSD_LEAVE();
  tsd_enter_text(name, strlen(name));
  TSD_LEAVE();
  tsd_managed_enter(3, 0x02000005, 0x06000123);
  tsd_stack_entries(3, frames, 3);
  tsd_managed_exit(3, 0x06000123);
  tsd_managed_enter(3, 0, 0x06000124);
  tsd_managed_exit(3, 0x06000124);
  tsd_modules_changed();
  printf("%u %u\n", tsd_string("same", 4), tsd_string("same", 4));
  return 0;
}

static int record(char** argv) {
  zones(argument(argv, 0, 1000));
  return 0;
}

static int recording(char** argv) {
  (void)argv;
  zones(1);
  printf("%d\n", tsd_recording());
  return 0;
}

/* Threads that record as much as they are told, all at once. */
static void* thread_of_zones(void* count) {
  zones((int)(intptr_t)count);
  return NULL;
}

static int threads(char** argv) {
  enum { kMost = 256 };
  static pthread_t all[kMost];
  int count = argument(argv, 0, 4), i;
  for (i = 0; i < count && i < kMost; i++) {
    pthread_create(&all[i], NULL, thread_of_zones, (void*)(intptr_t)argument(argv, 1, 1000));
  }
  for (i = 0; i < count && i < kMost; i++) pthread_join(all[i], NULL);
  return 0;
}

/* One after the other, each with a zone in a destructor of thread-local data. */
static pthread_key_t with_destructor;
static void destructor(void* data) {
  (void)data;
  TSD_ZONE("destructor");
}
static void* short_thread(void* data) {
  pthread_setspecific(with_destructor, data);
  zones(3);
  return NULL;
}
static int short_threads(char** argv) {
  int i;
  pthread_key_create(&with_destructor, destructor);
  for (i = 0; i < argument(argv, 0, 1000); i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, short_thread, &with_destructor);
    pthread_join(thread, NULL);
  }
  return 0;
}

/* Says in shared memory which calls are recorded for sure, until it is killed. */
static volatile uint64_t* done;
static int rounds_between;
static void* count_calls(void* which) {
  volatile uint64_t* mine = done + 8 * (intptr_t)which;
  for (;;) {
    {
      TSD_ZONE("counted call");
      TSD_ARG_U64("number", *mine);
    }
    *mine = *mine + 1;
    work(rounds_between);
  }
  return NULL;
}
static int until_killed(char** argv) {
  const int fd = open(argv[0], O_RDWR | O_CREAT, 0666);
  pthread_t thread;
  intptr_t i;
  rounds_between = argument(argv, 2, 5000);
  if (ftruncate(fd, 4096) != 0) return 1;
  done = (volatile uint64_t*)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  for (i = 1; i < argument(argv, 1, 2); i++) pthread_create(&thread, NULL, count_calls, (void*)i);
  count_calls(NULL);
  return 0;
}

/* New names all the time, for a kill while the table is written. */
static int names_until_killed(char** argv) {
  char name[300];
  unsigned i;
  (void)argv;
  memset(name, 'n', sizeof name);
  for (i = 0; i < 1u << 31; i++) {
    const int length = snprintf(name, sizeof name, "name %u", i);
    name[length] = 'n';
    tsd_enter_text(name, 20 + i * 7 % 250);
    TSD_LEAVE();
  }
  return 0;
}

/* A timer whose handler records while all else does, on threads that have not recorded as well. */
static int handled;
static int stop_flag;
static int threads_stop(void) {
  return __atomic_load_n(&stop_flag, __ATOMIC_ACQUIRE);
}
static void stop_all_threads(void) {
  __atomic_store_n(&stop_flag, 1, __ATOMIC_RELEASE);
}
static void* spins(void* data) {
  (void)data;
  while (!threads_stop()) {
  }
  return NULL;
}
static void on_timer(int number) {
  (void)number;
  switch (__atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED) % 6) {
    case 0: {
      TSD_ZONE("handler a");
      TSD_ZONE_IN("x", "handler inside");
      break;
    }
    case 1: {
      TSD_ZONE("handler b");
      break;
    }
    case 2: {
      TSD_ENTER("handler c");
      TSD_LEAVE();
      break;
    }
    case 3:
      TSD_INSTANT("handler d");
      break;
    case 4:
      TSD_COUNTER("handler e", 1);
      break;
    default: {
      TSD_ZONE("handler f");
    }
  }
}
static int in_handlers(char** argv) {
  struct itimerval every, off;
  struct sigaction act;
  pthread_t other;
  int i, ms = argument(argv, 0, 400), rounds = argument(argv, 1, 20000);
  struct timespec begin, now;
  memset(&act, 0, sizeof act);
  memset(&off, 0, sizeof off);
  act.sa_handler = on_timer;
  act.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &act, NULL);
  pthread_create(&other, NULL, spins, NULL);
  every.it_interval.tv_sec = every.it_value.tv_sec = 0;
  every.it_interval.tv_usec = every.it_value.tv_usec = 200;
  setitimer(ITIMER_REAL, &every, NULL);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (i = 0;; i++) {
    char name[32];
    fib(4);
    work(rounds);
    tsd_enter_text(name, (size_t)snprintf(name, sizeof name, "name %d", i)); /* takes the lock */
    TSD_LEAVE();
    clock_gettime(CLOCK_MONOTONIC, &now);
    if ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 > ms) break;
  }
  setitimer(ITIMER_REAL, &off, NULL);
  stop_all_threads();
  pthread_join(other, NULL);
  printf("%d %d\n", __atomic_load_n(&handled, __ATOMIC_RELAXED), i + 1);
  return 0;
}

static int paused(char** argv) {
  (void)argv;
  {
    TSD_ZONE("before and after");
    tsd_pause();
    { TSD_ZONE("in the gap"); }
    tsd_resume();
    TSD_ARG_I64("belongs to what is behind the gap", 1);
    { TSD_ZONE("after"); }
  }
  zones(1);
  return 0;
}

static int restarts(char** argv) {
  int i, result;
  (void)argv;
  zones(1); /* not recorded */
  for (i = 0; i < 3; i++) {
    result = tsd_start();
    if (result != 0) return 10 - result;
    if (tsd_start() != -EALREADY) return 1;
    zones(i + 1);
    if (tsd_stop() != 0) return 2;
  }
  zones(1);
  return tsd_stop() == -EALREADY ? 0 : 3;
}

/* Threads that do not care whether anything is recorded, while it is started and stopped. */
static void* zones_until_stopped(void* data) {
  (void)data;
  while (!threads_stop()) {
    TSD_ZONE("zone");
    TSD_ARG_I64("number", 5);
    fib(3);
    work(20000);
  }
  return NULL;
}
static int stops(char** argv) {
  pthread_t thread[4];
  int i;
  for (i = 0; i < 4; i++) pthread_create(&thread[i], NULL, zones_until_stopped, NULL);
  for (i = 0; i < argument(argv, 0, 20); i++) {
    if (tsd_start() != 0) return 1;
    usleep((useconds_t)(i % 7) * 500);
    if (tsd_stop() != 0) return 2;
  }
  stop_all_threads();
  for (i = 0; i < 4; i++) pthread_join(thread[i], NULL);
  return 0;
}
static int pauses(char** argv) {
  pthread_t thread[4];
  int i;
  for (i = 0; i < 4; i++) pthread_create(&thread[i], NULL, zones_until_stopped, NULL);
  for (i = 0; i < argument(argv, 0, 20); i++) {
    nap(1);
    tsd_pause();
    tsd_resume();
  }
  stop_all_threads();
  for (i = 0; i < 4; i++) pthread_join(thread[i], NULL);
  return 0;
}

static int forks(char** argv) {
  int status = 0;
  pid_t child;
  (void)argv;
  TSD_ZONE("around the fork");
  child = fork();
  if (child == 0) {
    zones(100);
    exit(0);
  }
  zones(50);
  waitpid(child, &status, 0);
  printf("%d\n", (int)child);
  return status;
}

static int spawns(char** argv) {
  char* arguments[] = {(char*)"true", NULL};
  pid_t child;
  int status = 1;
  (void)argv;
  TSD_ZONE("around the child");
  if (posix_spawnp(&child, "true", NULL, NULL, arguments, environ) != 0) return 1;
  waitpid(child, &status, 0);
  return status;
}

static int executes(char** argv) {
  (void)argv;
  TSD_ZONE("before exec");
  execlp("ls", "ls", "/proc/self/fd", (char*)NULL);
  return 1;
}

static volatile int deep_value;
static int endless(int n) {
  volatile char room[1024];
  TSD_ZONE("endless");
  room[n % 1024] = (char)n;
  deep_value += room[0];
  if (n < 0) return 0;
  return endless(n + 1) + room[n % 1024];
}
static int crashes(char** argv) {
  zones(10);
  TSD_ZONE("open at the crash");
  if (strcmp(argv[0], "overflow") == 0) return endless(0);
  if (strcmp(argv[0], "abort") == 0) abort();
  *(volatile int*)8 = 1;
  return 0;
}

/* Says where it is, and waits to be told to go on. */
static int told(const char* state) {
  puts(state);
  fflush(stdout);
  return getchar() == '\n';
}

/* Records, and goes on recording once it is told. */
static int held(char** argv) {
  (void)argv;
  zones(10);
  if (!told("ready")) return 1;
  zones(10);
  return 0;
}

static int libraries(char** argv) {
  int i;
  for (i = 0; i < 3; i++) {
    void* library = dlopen(argv[0], RTLD_NOW);
    void (*run)(void);
    if (!library) return 1;
    *(void**)&run = dlsym(library, "run");
    run();
    if (!told("loaded")) return 2;
    dlclose(library);
    if (!told("closed")) return 2;
  }
  return 0;
}

static int relative_library(char** argv) {
  void* library;
  if (chdir(argv[0]) != 0) return 1;
  library = dlopen("./library.so", RTLD_NOW);
  tsd_modules_changed();
  return library == NULL;
}

static int texts(char** argv) {
  static char text[70000];
  static const int lengths[] = {0, 1, 7, 8, 9, 21, 22, 23, 36, 1000, 65534, 65535, 65536};
  size_t i;
  (void)argv;
  memset(text, 'x', sizeof text);
  for (i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    TSD_ZONE("text");
    TSD_ARG_TEXT("value", text, (size_t)lengths[i]);
  }
  return 0;
}

static void some_sites(void) {
  {
    TSD_ZONE_IN("net", "read");
    TSD_ARG_I64("bytes", 1);
  }
  { TSD_ZONE_IN("net", "write"); }
  { TSD_ZONE_IN("off.verbose", "detail"); }
  { TSD_ZONE("plain"); }
  TSD_ENTER("plain entered");
  TSD_ENTER("read entered");
  TSD_ARG_I64("n", 7);
  TSD_LEAVE();
  TSD_LEAVE();
}
static int filters(char** argv) {
  some_sites();
  if (argv[0]) {
    if (tsd_set_filter(argv[0], argv[1] ? argv[1] : "") != 0) return 1;
    some_sites();
    some_sites();
  }
  return 0;
}

static int counts(char** argv) {
  tsd_counts during, after;
  zones(argument(argv, 0, 1000));
  tsd_get_counts(&during);
  tsd_stop();
  tsd_get_counts(&after);
  printf("%llu %llu %llu %llu\n", (unsigned long long)during.records,
         (unsigned long long)during.lost, (unsigned long long)after.records,
         (unsigned long long)after.lost);
  return 0;
}

static void* sleeps(void* data) {
  zones(2);
  __atomic_store_n((int*)data, 1, __ATOMIC_RELEASE);
  while (!threads_stop()) nap(1);
  zones(2); /* after the end of the recording */
  return NULL;
}
static int outlives(char** argv) {
  pthread_t thread;
  int started = 0;
  (void)argv;
  pthread_create(&thread, NULL, sleeps, &started);
  while (!__atomic_load_n(&started, __ATOMIC_ACQUIRE)) nap(1);
  tsd_stop();
  stop_all_threads();
  pthread_join(thread, NULL);
  return 0;
}

/* In KiB. Not what getrusage says: a program inherits that from whoever started it. */
static int memory(char** argv) {
  char line[256];
  FILE* status;
  zones(argument(argv, 0, 1000000));
  status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) {
    if (strncmp(line, "VmHWM:", 6) == 0) printf("%d\n", atoi(line + 6));
  }
  return 0;
}

static int waits(char** argv) {
  struct timespec begin, now;
  puts("ready");
  fflush(stdout);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do {
    zones(10);
    nap(1);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 <
           argument(argv, 0, 200));
  return 0;
}

/* Waits for the recording to begin or end, so that a test need not know how long that takes. */
static int until_recorded(char** argv) {
  const int times = argument(argv, 0, 1);
  int i;
  puts("ready");
  fflush(stdout);
  for (i = 0; i < times; i++) {
    while (!tsd_recording()) nap(1);
    zones(5);
    puts("recording");
    fflush(stdout);
    while (tsd_recording()) nap(1);
    puts("stopped");
    fflush(stdout);
  }
  return 0;
}

/* Between two looks at the system's clock, which are printed. */
static int clocks(char** argv) {
  struct timespec before, after;
  int i;
  for (i = 0; i < 3; i++) {
    clock_gettime(CLOCK_MONOTONIC, &before);
    TSD_INSTANT("now");
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf("%lld %lld\n", (long long)before.tv_sec * 1000000000 + before.tv_nsec,
           (long long)after.tv_sec * 1000000000 + after.tv_nsec);
    nap(argument(argv, 0, 100));
  }
  return 0;
}

static int configured(char** argv) { /* all of it by tsd_init, nothing by the environment */
  tsd_config config;
  int result;
  tsd_config_default(&config);
  config.path = argv[0];
  config.mode = TSD_MEMORY;
  config.keep = TSD_KEEP_LAST;
  config.bytes_per_thread = 64 << 10;
  config.bytes_total = 8 << 20;
  config.chunk_bytes = 32 << 10;
  config.pack = TSD_PACKED;
  config.start = TSD_CALL;
  config.stop = TSD_CALL | TSD_AT_EXIT;
  config.include = "^zone$";
  config.exclude = "^other$";
  config.clock = TSD_CLOCK_MONOTONIC;
  config.fork_child = TSD_CHILD_OFF;
  result = tsd_init(&config);
  if (result != 0) return 1;
  if (tsd_recording() || tsd_start() != 0 || !tsd_recording()) return 2;
  if (tsd_init(&config) != -EALREADY) return 3;
  zones(10000);
  fib(2); /* filtered out */
  return 0;
}

/* As a daemon does it: our file's number is then that of the program's own next one. */
static int closes_all(char** argv) {
  char byte[4096];
  int i, fd;
  for (i = 3; i < 1024; i++) close(i);
  memset(byte, 'U', sizeof byte);
  for (i = 3; i < 1024; i++) {
    fd = open(argv[0], O_RDWR | O_CREAT, 0644);
    if (fd == 1023) break;
  }
  for (i = 0; i < 64; i++) {
    if (write(fd, byte, sizeof byte) < 0) return 1;
  }
  zones(100000);
  return 0;
}

/* A thread that makes its first chunk, which takes long, while the recording ends and the next one
 * begins. */
static int attached_late[2];
static void* attaches_late(void* data) {
  while (!__atomic_load_n(&attached_late[0], __ATOMIC_ACQUIRE)) {
  }
  TSD_THREAD("late");
  while (!__atomic_load_n(&attached_late[1], __ATOMIC_ACQUIRE)) nap(1);
  zones(10);
  return data;
}
static int attaches(char** argv) {
  pthread_t thread[4];
  int round, i;
  (void)argv;
  for (round = 0; round < 3; round++) {
    attached_late[0] = attached_late[1] = 0;
    if (tsd_start() != 0) return 1;
    for (i = 0; i < 4; i++) pthread_create(&thread[i], NULL, attaches_late, NULL);
    nap(2);
    __atomic_store_n(&attached_late[0], 1, __ATOMIC_RELEASE);
    nap(1);
    if (tsd_stop() != 0 || tsd_start() != 0) return 2;
    __atomic_store_n(&attached_late[1], 1, __ATOMIC_RELEASE);
    for (i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    if (tsd_stop() != 0) return 3;
  }
  return 0;
}

/* Names that no room is left for; prints what became of the calls, and the memory that it took. */
static int endless_names(char** argv) {
  char name[64], line[256];
  FILE* status;
  tsd_counts counts;
  int i;
  for (i = 0; i < argument(argv, 0, 1000000); i++) {
    const int length = snprintf(name, sizeof name, "a name that was not there before %d", i);
    tsd_enter_text(name, (size_t)length);
    TSD_LEAVE();
  }
  tsd_get_counts(&counts);
  printf("%llu ", (unsigned long long)(counts.records + counts.lost + 2 * counts.dropped));
  status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) {
    if (strncmp(line, "VmRSS:", 6) == 0) printf("%d\n", atoi(line + 6));
  }
  return 0;
}

/* A plugin with a recorder of its own, unloaded before the thread ends that recorded in it. */
static void* uses_plugin(void* data) {
  void* library = dlopen((char*)data, RTLD_NOW | RTLD_LOCAL);
  void (*run)(void);
  if (!library) return data;
  *(void**)&run = dlsym(library, "run");
  run();
  dlclose(library);
  return NULL;
}
static int plugin(char** argv) {
  pthread_t thread;
  void* failed;
  pthread_create(&thread, NULL, uses_plugin, argv[0]);
  pthread_join(thread, &failed);
  raise(SIGUSR2);
  return failed != NULL;
}

/* A first record when destructors have already been called. */
static pthread_key_t last_rounds;
static void records_last(void* data) {
  char* round = (char*)data;
  if (round[0] >= round[1]) zones(1);
  if (round[0]++ < 4) pthread_setspecific(last_rounds, data);
}
static void* ends_late(void* data) {
  pthread_setspecific(last_rounds, data);
  return NULL;
}
static int late_destructors(char** argv) {
  static char rounds[3][2] = {{1, 2}, {1, 3}, {1, 4}};
  pthread_attr_t large;
  pthread_t thread;
  int i;
  (void)argv;
  pthread_key_create(&last_rounds, records_last);
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, 64 << 20); /* unmapped at once */
  for (i = 0; i < 3; i++) {
    pthread_create(&thread, &large, ends_late, rounds[i]);
    pthread_join(thread, NULL);
  }
  tsd_pause();
  tsd_resume();
  return tsd_stop();
}

/* While another thread is told of libraries. */
static void* tells_modules(void* data) {
  while (!threads_stop()) tsd_modules_changed();
  return data;
}
static int forks_often(char** argv) {
  pthread_t thread;
  int i, status = 0, wrong = 0;
  pthread_create(&thread, NULL, tells_modules, NULL);
  for (i = 0; i < argument(argv, 0, 50); i++) {
    const pid_t child = fork();
    if (child == 0) {
      zones(1);
      _exit(0);
    }
    waitpid(child, &status, 0);
    wrong |= status;
  }
  stop_all_threads();
  pthread_join(thread, NULL);
  return wrong != 0;
}

/* One thread records again after the pause, and one does not. */
static void* records_again(void* data) {
  zones(1);
  __atomic_store_n((int*)data, 1, __ATOMIC_RELEASE);
  while (!threads_stop()) nap(1);
  TSD_THREAD("again");
  zones(1);
  return NULL;
}
static void* ends_paused(void* data) {
  TSD_ENTER("open at the pause");
  __atomic_store_n((int*)data, 1, __ATOMIC_RELEASE);
  while (!threads_stop()) nap(1);
  return NULL;
}
static int paused_threads(char** argv) {
  pthread_t thread[2];
  int ready[2] = {0, 0};
  (void)argv;
  TSD_ENTER("open at the pause");
  pthread_create(&thread[0], NULL, records_again, &ready[0]);
  pthread_create(&thread[1], NULL, ends_paused, &ready[1]);
  while (!__atomic_load_n(&ready[0], __ATOMIC_ACQUIRE) ||
         !__atomic_load_n(&ready[1], __ATOMIC_ACQUIRE)) {
    nap(1);
  }
  tsd_pause();
  nap(1);
  tsd_resume();
  stop_all_threads();
  pthread_join(thread[0], NULL);
  pthread_join(thread[1], NULL);
  return 0;
}

/* More than there is room for, by threads that come and go as well; prints how many records. */
static void* five_zones(void* data) {
  zones(5);
  return data;
}
static int too_many(char** argv) {
  const int threads_ = argument(argv, 0, 1000), times = argument(argv, 1, 100000);
  pthread_t thread;
  tsd_counts counts;
  int i;
  for (i = 0; i < threads_; i++) {
    if (i % 2 == 0) zones(20);
    pthread_create(&thread, NULL, five_zones, NULL);
    pthread_join(thread, NULL);
  }
  for (i = 0; i < times; i++) {
    TSD_ZONE("zone");
    TSD_ARG_I64("number", i);
  }
  tsd_get_counts(&counts);
  printf("%d %llu\n", 10 * threads_ + 40 * ((threads_ + 1) / 2) + 3 * times,
         (unsigned long long)(counts.records + counts.lost + counts.dropped));
  return 0;
}

/* Nothing of it fits; says what the end of the recording said. */
static int unwritable(char** argv) {
  struct rlimit most = {100 << 10, 100 << 10};
  zones(argument(argv, 0, 20000));
  if (setrlimit(RLIMIT_FSIZE, &most) != 0) return 1;
  printf("%d\n", -tsd_stop());
  return 0;
}

static int texts_filtered(char** argv) {
  static const char* const filters_[] = {"", "alpha", ""};
  int i;
  (void)argv;
  for (i = 0; i < 3; i++) {
    tsd_set_filter("", filters_[i]);
    tsd_enter_text("alpha", 5);
    tsd_enter_text("beta", 4);
    TSD_LEAVE();
    TSD_LEAVE();
  }
  return 0;
}

/* A server's child, that is asked to record by a signal; prints its number. */
static int child_by_signal(char** argv) {
  int status = 0, i, ready[2];
  char byte = 0;
  pid_t child;
  (void)argv;
  if (pipe(ready) != 0) return 1;
  child = fork();
  if (child == 0) {
    if (write(ready[1], &byte, 1) != 1) exit(1);
    while (!tsd_recording()) nap(1);
    zones(7);
    exit(0);
  }
  if (read(ready[0], &byte, 1) != 1) return 2;
  kill(child, SIGUSR2);
  for (i = 0; i < 250 && waitpid(child, &status, WNOHANG) == 0; i++) nap(20);
  if (i == 250) kill(child, SIGKILL);
  printf("%d\n", (int)child);
  return status;
}

/* A program that goes on after a crash, by a handler that it had before. */
static sigjmp_buf before_crash;
static void go_on(int number) {
  (void)number;
  siglongjmp(before_crash, 1);
}
static int survives(char** argv) {
  struct sigaction own;
  tsd_config config;
  memset(&own, 0, sizeof own);
  own.sa_handler = go_on;
  own.sa_flags = SA_NODEFER;
  sigaction(SIGSEGV, &own, NULL);
  tsd_config_default(&config);
  config.path = argv[0];
  config.mode = TSD_MEMORY;
  config.crash_handler = 1;
  if (tsd_init(&config) != 0) return 1;
  zones(1000);
  if (!sigsetjmp(before_crash, 1)) *(volatile int*)8 = 1;
  zones(1000);
  return 0;
}

/* Threads that outlive recordings leave nothing behind; prints how the memory has grown, in KiB. */
static int memory_now(void) {
  char line[256];
  int found = 0;
  FILE* status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) {
    if (strncmp(line, "VmSize:", 7) == 0) found = atoi(line + 7);
  }
  if (status) fclose(status);
  return found;
}
static int outlive_often(char** argv) {
  pthread_t thread[20];
  int started[20], round, i, before = 0;
  (void)argv;
  for (round = 0; round < 8; round++) {
    __atomic_store_n(&stop_flag, 0, __ATOMIC_RELEASE);
    if (tsd_start() != 0) return 1;
    for (i = 0; i < 20; i++) {
      started[i] = 0;
      pthread_create(&thread[i], NULL, sleeps, &started[i]);
    }
    for (i = 0; i < 20; i++) {
      while (!__atomic_load_n(&started[i], __ATOMIC_ACQUIRE)) nap(1);
    }
    tsd_stop();
    stop_all_threads();
    for (i = 0; i < 20; i++) pthread_join(thread[i], NULL);
    if (round == 1) before = memory_now();
  }
  printf("%d\n", memory_now() - before);
  return 0;
}

/* A handler comes between any two instructions of begins and their ends: it pauses, resumes and
 * records a point or a call, or records a call without a pause. */
#if defined(__x86_64__) && defined(__LP64__)
static volatile int interrupted_step, step_number, stepping;
static int handler_pauses, handler_calls;
static void at_step(int number, siginfo_t* info, void* context) {
  (void)number;
  (void)info;
  (void)context;
  if (!stepping || ++step_number != interrupted_step) return;
  if (handler_pauses) {
    tsd_pause();
    tsd_resume();
  }
  if (handler_calls) {
    TSD_ENTER("handler");
    TSD_LEAVE();
  } else {
    TSD_INSTANT("handler");
  }
}
#define SET_STEPPING_(instruction) \
  __asm__ __volatile__("pushfq\n\t" instruction ", (%%rsp)\n\tpopfq" ::: "memory", "cc")
/* 0: no instruction has that number. */
static int interrupt(void (*calls)(void), int step) {
  interrupted_step = step;
  step_number = 0;
  stepping = 1;
  SET_STEPPING_("orq $0x100");
  calls();
  SET_STEPPING_("andq $~0x100");
  stepping = 0;
  return step_number >= step;
}
static void by_zone(void) {
  TSD_ZONE("zone");
}
static void by_macros(void) {
  TSD_ENTER("outer");
  TSD_ENTER("inner");
  TSD_LEAVE();
  TSD_LEAVE();
}
static void by_functions(void) {
  static tsd_site outer = {"outer", NULL, "cases.c", 1, 0, 0, 0};
  static tsd_site inner = {"inner", NULL, "cases.c", 2, 0, 0, 0};
  tsd_enter(&outer);
  tsd_enter(&inner);
  tsd_leave();
  tsd_leave();
}
static int stepped(char** argv) {
  static void (*const all[])(void) = {by_zone, by_macros, by_functions};
  struct sigaction action;
  int step = 1;
  handler_pauses = argument(argv, 1, 0);
  handler_calls = argument(argv, 2, 0);
  memset(&action, 0, sizeof action);
  action.sa_sigaction = at_step;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, NULL);
  while (interrupt(all[argument(argv, 0, 0)], step)) step++;
  printf("%d\n", step);
  return 0;
}
#else
static int stepped(char** argv) {
  (void)argv;
  printf("0\n");
  return 0;
}
#endif

static int evaluated;
static int evaluates(void) {
  return ++evaluated;
}
static int switched_off(char** argv) {
  (void)argv;
  TSD_COUNTER("counter", evaluates());
  TSD_ASYNC_BEGIN("async", evaluates());
  TSD_FLOW_STEP("flow", evaluates());
  TSD_ARG_I64("argument", evaluates());
  return evaluated;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    int (*run)(char**);
  } all[] = {{"macros", macros},
             {"record", record},
             {"recording", recording},
             {"threads", threads},
             {"short_threads", short_threads},
             {"until_killed", until_killed},
             {"names_until_killed", names_until_killed},
             {"in_handlers", in_handlers},
             {"paused", paused},
             {"restarts", restarts},
             {"stops", stops},
             {"pauses", pauses},
             {"forks", forks},
             {"spawns", spawns},
             {"executes", executes},
             {"crashes", crashes},
             {"held", held},
             {"libraries", libraries},
             {"relative_library", relative_library},
             {"texts", texts},
             {"filters", filters},
             {"counts", counts},
             {"outlives", outlives},
             {"memory", memory},
             {"waits", waits},
             {"until_recorded", until_recorded},
             {"clocks", clocks},
             {"closes_all", closes_all},
             {"attaches", attaches},
             {"endless_names", endless_names},
             {"plugin", plugin},
             {"late_destructors", late_destructors},
             {"forks_often", forks_often},
             {"paused_threads", paused_threads},
             {"switched_off", switched_off},
             {"stepped", stepped},
             {"survives", survives},
             {"outlive_often", outlive_often},
             {"too_many", too_many},
             {"unwritable", unwritable},
             {"texts_filtered", texts_filtered},
             {"child_by_signal", child_by_signal},
             {"configured", configured}};
  size_t i;
  for (i = 0; argc > 1 && i < sizeof all / sizeof *all; i++) {
    if (strcmp(all[i].name, argv[1]) == 0) return all[i].run(argv + 2);
  }
  return 99;
}
