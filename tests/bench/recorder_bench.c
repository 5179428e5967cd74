/* What a zone costs: recorder_bench [ROUNDS], in a folder on the disk or RAM disk in question. All
 * variants take turns, so that the machine's moods meet all of them alike; only ratios within a run
 * mean anything. With -DSPALL_H='"PATH"' spall.h is one of them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tsd.h"
#ifdef SPALL_H
#include SPALL_H
#endif

enum { kZones = 4000, kMostRounds = 2000 };
void __cyg_profile_func_enter(void*, void*);
void __cyg_profile_func_exit(void*, void*);

static uint64_t clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
static uint64_t now_ns(void) {
  return clock_ns(CLOCK_MONOTONIC);
}

static void empty_loop(void) {
  int i;
  for (i = 0; i < kZones; i++) __asm__ __volatile__("" ::: "memory");
}
static void two_clocks(void) {
  int i;
  for (i = 0; i < kZones; i++) {
    (void)tsd_clock();
    __asm__ __volatile__("" ::: "memory");
    (void)tsd_clock();
    __asm__ __volatile__("" ::: "memory");
  }
}
static void zones(void) {
  int i;
  for (i = 0; i < kZones; i++) {
    TSD_ZONE("zone");
    __asm__ __volatile__("" ::: "memory");
  }
}
static void hooks(void) {
  int i;
  for (i = 0; i < kZones; i++) {
    __cyg_profile_func_enter((void*)(uintptr_t)hooks, NULL);
    __cyg_profile_func_exit((void*)(uintptr_t)hooks, NULL);
  }
}
static void zones_with_number(void) {
  int i;
  for (i = 0; i < kZones; i++) {
    TSD_ZONE("zone with a number");
    TSD_ARG_I64("i", i);
  }
}
#ifdef SPALL_H
static SpallProfile spall;
static SpallBuffer spall_buffer;
static void spall_zones(void) {
  int i;
  for (i = 0; i < kZones; i++) {
    spall_buffer_begin_ex(&spall, &spall_buffer, "zone", 4, (double)tsd_clock(), 1, 1);
    spall_buffer_end_ex(&spall, &spall_buffer, (double)tsd_clock(), 1, 1);
  }
}
#endif

static int by_value(const void* a, const void* b) {
  const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
  return x < y ? -1 : x > y;
}

typedef struct variant {
  const char* name;
  void (*run)(void);
  int on;
  uint64_t ns[kMostRounds];
} variant;

/* The longest of the gaps between looks at the clock, eight zones apart, in ten million zones: by
 * the recorder, by nobody (what the machine does to any loop), and by a thread that writes its own
 * buffer of 1 MiB when that is full. */
enum { kStallZones = 10000000, kStallRuns = 5, kBuffer = 1 << 20 };
enum { kByNobody, kByRecorder, kByBuffer, kWays };

static uint64_t longest_gap(int way) {
  static uint64_t buffer[kBuffer / 8];
  uint64_t longest = 0, last;
  size_t used = 0;
  int i, file = way == kByBuffer ? open("recorder_bench.buffer", O_RDWR | O_CREAT | O_TRUNC, 0666)
                                 : -1;
  if (way == kByRecorder) tsd_start();
  if (way == kByBuffer) memset(buffer, 1, sizeof buffer);
  zones(); /* the first record of a thread takes its first buffer */
  last = now_ns();
  for (i = 0; i < kStallZones; i++) {
    if (way == kByBuffer) {
      int k;
      for (k = 0; k < 4; k++) buffer[used + (size_t)k] = tsd_clock();
      used += 4;
      if (used == kBuffer / 8) {
        if (write(file, buffer, kBuffer) != kBuffer) return 0;
        used = 0;
      }
    } else {
      TSD_ZONE("zone");
    }
    if (i % 8 == 0) {
      const uint64_t now = now_ns();
      if (now - last > longest) longest = now - last;
      last = now;
    }
  }
  if (way == kByRecorder) tsd_stop();
  if (file >= 0) close(file);
  return longest;
}

static void print_stalls(void) {
  static const char* const names[kWays] = {"nothing recorded", "recorder", "own buffer of 1 MiB"};
  uint64_t ns[kWays][kStallRuns];
  int way, run;
  for (run = 0; run < kStallRuns; run++) {
    for (way = 0; way < kWays; way++) ns[way][run] = longest_gap(way);
  }
  printf("\n| longest stall in 10 M zones, us | least | median | most |\n|---|---|---|---|\n");
  for (way = 0; way < kWays; way++) {
    qsort(ns[way], kStallRuns, sizeof(uint64_t), by_value);
    printf("| %s | %.0f | %.0f | %.0f |\n", names[way], (double)ns[way][0] / 1e3,
           (double)ns[way][kStallRuns / 2] / 1e3, (double)ns[way][kStallRuns - 1] / 1e3);
  }
}

/* Wall clock and the thread's own CPU, of a million zones. */
typedef struct spent {
  double wall, cpu;
} spent;

static void* many_zones(void* to) {
  spent* result = (spent*)to;
  const uint64_t begin = now_ns(), cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  int i;
  for (i = 0; i < 1000000 / kZones; i++) zones();
  result->wall = (double)(now_ns() - begin) / 1e6;
  result->cpu = (double)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu) / 1e6;
  return NULL;
}

static void print_threads(void) {
  enum { kMost = 4 };
  spent spent_by[kMost];
  pthread_t threads[kMost];
  int count, i;
  printf(
      "\n| threads at once, %ld cores | ns a zone, slowest thread | of its CPU |\n|---|---|---|\n",
      sysconf(_SC_NPROCESSORS_ONLN));
  for (count = 1; count <= kMost; count *= 2) {
    spent most = {0, 0};
    for (i = 0; i < count; i++) pthread_create(&threads[i], NULL, many_zones, &spent_by[i]);
    for (i = 0; i < count; i++) {
      pthread_join(threads[i], NULL);
      if (spent_by[i].wall > most.wall) most.wall = spent_by[i].wall;
      if (spent_by[i].cpu > most.cpu) most.cpu = spent_by[i].cpu;
    }
    printf("| %d | %.1f | %.1f |\n", count, most.wall, most.cpu);
    usleep(100000); /* the helper closes what is left */
  }
}

int main(int argc, char** argv) {
  static variant all[] = {
      {"empty loop", empty_loop, 0, {0}},
      {"two clock reads", two_clocks, 0, {0}},
      {"zone, off", zones, 0, {0}},
      {"zone, on", zones, 1, {0}},
      {"zone and a number", zones_with_number, 1, {0}},
      {"function hooks, on", hooks, 1, {0}},
#ifdef SPALL_H
      {"spall.h", spall_zones, 0, {0}},
#endif
  };
  enum { kVariants = sizeof all / sizeof *all };
  int rounds = argc > 1 ? atoi(argv[1]) : 600, r;
  size_t v;
  tsd_config config;
  tsd_counts counts;
  cpu_set_t one, before;
  struct stat file;
  uint64_t begin, started;
  if (rounds < 10 || rounds > kMostRounds) rounds = 600;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  tsd_config_default(&config);
  config.path = "recorder_bench.tsd";
  config.bytes_total = (uint64_t)16 << 30;
  if (tsd_init(&config) != 0) return 1; /* its helper may use all cores */
  sched_setaffinity(0, sizeof one, &one);
#ifdef SPALL_H
  spall = spall_init_file("recorder_bench.spall", 1);
  spall_buffer.length = 1 << 20;
  spall_buffer.data = malloc(1 << 20);
  spall_buffer_init(&spall, &spall_buffer);
#endif
  for (r = 0; r < rounds; r++) {
    for (v = 0; v < kVariants; v++) {
      if (all[v].on)
        tsd_resume();
      else
        tsd_pause();
      all[v].run(); /* warm: the first record after a pause is no ordinary one */
      begin = now_ns();
      all[v].run();
      all[v].ns[r] = now_ns() - begin;
    }
  }
  for (v = 0; v < kVariants; v++) qsort(all[v].ns, (size_t)rounds, sizeof(uint64_t), by_value);
  printf(
      "| ns | min | p10 | median | ratio to two clock reads: min, p10 |\n|---|---|---|---|---|\n");
  for (v = 0; v < kVariants; v++) {
    const double clock_min = (double)all[1].ns[0], clock_p10 = (double)all[1].ns[rounds / 10];
    printf("| %s | %.2f | %.2f | %.2f | %.3f, %.3f |\n", all[v].name, (double)all[v].ns[0] / kZones,
           (double)all[v].ns[rounds / 10] / kZones, (double)all[v].ns[rounds / 2] / kZones,
           (double)all[v].ns[0] / clock_min, (double)all[v].ns[rounds / 10] / clock_p10);
  }
  tsd_resume();
  sched_setaffinity(0, sizeof before, &before);
  print_threads();
  begin = now_ns();
  tsd_stop();
  printf("\nstop %.2f ms, ", (double)(now_ns() - begin) / 1e6);
  if (stat("recorder_bench.tsd", &file) == 0) {
    tsd_get_counts(&counts);
    printf("%.2f bytes a record, lost %llu\n", (double)file.st_size / (double)counts.records,
           (unsigned long long)counts.lost);
  }
  begin = now_ns();
  tsd_start();
  started = now_ns();
  tsd_stop();
  printf("empty: start %.2f ms, stop %.2f ms\n", (double)(started - begin) / 1e6,
         (double)(now_ns() - started) / 1e6);
  print_stalls();
  for (r = 1; r <= 2 + kStallRuns; r++) {
    char path[64];
    snprintf(path, sizeof path, r == 1 ? "recorder_bench.tsd" : "recorder_bench-%d.tsd", r);
    unlink(path);
  }
  unlink("recorder_bench.buffer");
  return 0;
}
