// The C++ side: zones with arguments, exceptions, a recording as an object.
#include <sys/time.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tsd.hpp"

namespace {

enum class Colour { red = 2 };

int throws(int n) {
  TSD_FUNCTION();
  if (n == 0) throw std::runtime_error("out");
  return throws(n - 1) + 1;
}

void arguments() {
  const char* nothing = nullptr;
  TSD_ZONE_AS(zone, "at the begin");
  zone.arg("int", -3);
  zone.arg("unsigned", 3u);
  zone.arg("size", sizeof(int));
  zone.arg("double", 0.5);
  zone.arg("bool", true);
  zone.arg("enum", Colour::red);
  zone.arg("literal", "text");
  zone.arg("string", std::string(100, 's'));
  zone.arg("view", std::string_view("view").substr(1));
  zone.arg("pointer", static_cast<const void*>(&zone));
  zone.arg("null text", nothing);
  { TSD_ZONE("inside"); }
  zone.arg("behind", 4);
  zone.arg("literal behind", "late");
  zone.arg("too many", 5);
  zone.arg("no literal", std::string("gone"));
}

void buffers() {  // that are gone, or others', when their zone ends
  TSD_ZONE_AS(zone, "buffers");
  { TSD_ZONE("inside"); }
  {
    char path[32];
    std::snprintf(path, sizeof path, "/index-%d.html", 7);
    zone.arg("path", path);
    path[0] = '?';
  }
  const char full[4] = {'f', 'u', 'l', 'l'};
  zone.arg("full", full);
}

void for_the_recorder(const char* text, std::size_t length) {
  TSD_ZONE_AS(zone, "for the recorder");
  const int depth = 3;
  const char* where = text;
  TSD_ARG_TEXT("text", text, length);
  TSD_ARG_POINTER("where", where);
  TSD_COUNTER("depth", depth);
}

void many_arguments() {  // across chunks
  for (int i = 0; i < 3000; ++i) {
    TSD_ZONE_AS(zone, "many");
    zone.arg("i", i);
    zone.arg("text", std::string(static_cast<std::size_t>(i % 40), 'y'));
  }
}

volatile std::sig_atomic_t interrupts = 0;

// Once, and again from the handler's end: by a timer that goes on, a machine on which a handler
// takes longer than that would do nothing else.
void interrupt_soon() {
  const itimerval soon = {{0, 0}, {0, 50}};
  if (interrupts != 0) setitimer(ITIMER_REAL, &soon, nullptr);
}

void handle(int) {
  { TSD_ZONE("handler"); }
  interrupt_soon();
}

// Between a begin and its argument handlers come in.
void interrupted(int times) {
  std::signal(SIGALRM, handle);
  handle(0);  // known from here on
  interrupts = 1;
  interrupt_soon();
  for (int i = 0; i < times; ++i) {
    TSD_ZONE_AS(zone, "interrupted");
    zone.arg("i", i);
  }
  interrupts = 0;
  const itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4) {  // two recordings, each by its own configuration
    for (int i = 1; i < 3; ++i) {
      tsd_config config = tsd::Recording::defaults();
      config.path = argv[i];
      config.mode = i == 1 ? TSD_MEMORY : TSD_LIVE;
      tsd::Recording recording(config);
      if (recording.result() != 0) return i;
      TSD_INSTANT("here");
    }
    return 0;
  }
  tsd_config config = tsd::Recording::defaults();
  config.path = argc > 1 ? argv[1] : "zones.tsd";
  tsd::Recording recording(config);
  if (recording.result() != 0) return 1;
  if (argc > 2) {
    interrupted(std::atoi(argv[2]));
    return 0;
  }
  arguments();
  buffers();
  for_the_recorder("text", 4);
  try {
    throws(5);
  } catch (const std::runtime_error&) {
    TSD_INSTANT("caught");
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([i] {
      TSD_THREAD(("worker " + std::to_string(i)).c_str());
      many_arguments();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return 0;
}
