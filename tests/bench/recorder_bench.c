/* What a zone costs: recorder_bench [ROUNDS]. All variants take turns, round by round, on one core,
 * so that the machine's moods meet all of them alike; only ratios within a run mean anything.
 *   cc -O2 -Iformats/thread_stream/recorder tests/bench/recorder_bench.c
 * formats/thread_stream/recorder/tsd.c \ formats/thread_stream/recorder/tsd_functions.c -pthread -o
 * recorder_bench With -DSPALL_H='"PATH"' spall.h is one of them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
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

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
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

static void* ten_million(void* longest) {
  uint64_t *to = (uint64_t*)longest, last = now_ns();
  int i;
  for (i = 0; i < 10000000; i++) {
    TSD_ZONE("zone");
    if (i % 8 == 0) {
      const uint64_t now = now_ns();
      if (now - last > *to) *to = now - last;
      last = now;
    }
  }
  return NULL;
}

static void* many_zones(void* ns) {
  const uint64_t begin = now_ns();
  int i;
  for (i = 0; i < 250; i++) zones();
  *(uint64_t*)ns = now_ns() - begin;
  return NULL;
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
  uint64_t stall = 0, begin, alone, together[4];
  pthread_t threads[4];
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
  many_zones(&alone);
  for (r = 0; r < 4; r++) pthread_create(&threads[r], NULL, many_zones, &together[r]);
  begin = 0;
  for (r = 0; r < 4; r++) {
    pthread_join(threads[r], NULL);
    if (together[r] > begin) begin = together[r];
  }
  printf("a thread alone %.1f ns a zone; the slowest of four at once %.1f on %ld cores\n",
         (double)alone / 1e6, (double)begin / 1e6, sysconf(_SC_NPROCESSORS_ONLN));
  tsd_stop();
  if (stat("recorder_bench.tsd", &file) == 0) {
    tsd_get_counts(&counts);
    printf("%.2f bytes a record, lost %llu\n", (double)file.st_size / (double)counts.records,
           (unsigned long long)counts.lost);
  }
  begin = now_ns();
  tsd_start();
  printf("start %.2f ms, ", (double)(now_ns() - begin) / 1e6);
  ten_million(&stall);
  begin = now_ns();
  tsd_stop();
  printf("stop %.2f ms; longest stall in 10 M zones %.0f us\n", (double)(now_ns() - begin) / 1e6,
         (double)stall / 1e3);
  unlink("recorder_bench.tsd");
  unlink("recorder_bench-2.tsd");
  return 0;
}
