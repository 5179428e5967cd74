// A program in C++ with threads:
//   g++ -O2 game.cc tsd.c -pthread -o game && TSD_PATH=game.tsd ./game && cinderscope game.tsd
#include <thread>
#include <vector>

#include "tsd.hpp"

static long simulate(int steps) {
  TSD_FUNCTION();
  long sum = 0;
  for (int i = 0; i < steps; ++i) {
    TSD_ZONE("step");
    for (int k = 0; k < 20000; ++k) sum += k ^ i;
  }
  TSD_COUNTER("sum", static_cast<double>(sum));
  return sum;
}

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i) {
    workers.emplace_back([i] {
      TSD_THREAD("worker");
      simulate(50 + 10 * i);
    });
  }
  {
    TSD_ZONE_AS(zone, "main loop");
    zone.arg("steps", 100);
    simulate(100);
  }
  for (std::thread& worker : workers) worker.join();
}
