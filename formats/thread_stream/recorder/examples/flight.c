/* A flight recorder: the last 256 KiB of each thread are kept in memory, and written when something
 * is worth a look; here when a request was slow. TSD_STOP=signal does the same from outside.
 *   gcc -O2 flight.c tsd.c -pthread -o flight && ./flight && cinderscope flight.tsd */
#include <stdio.h>

#include "tsd.h"

static int serve(int request) {
  volatile long work = 0;
  long k;
  TSD_FUNCTION();
  TSD_ARG_I64("request", request);
  for (k = 0; k < 200 + (request == 40000 ? 2000000 : 0); k++) work = work + k;
  return request == 40000;
}

int main(void) {
  tsd_config config;
  int request;
  tsd_config_default(&config);
  config.path = "flight.tsd";
  config.mode = TSD_MEMORY;
  config.keep = TSD_KEEP_LAST;
  config.bytes_per_thread = 256 << 10;
  config.stop = TSD_CALL; /* nothing is written at the exit */
  tsd_init(&config);
  for (request = 0; request < 100000; request++) {
    if (serve(request)) {
      TSD_INSTANT("slow request");
      tsd_stop();
      puts("a slow request: see the recording");
    }
  }
  return 0;
}
