/* A shared library with a site and functions of its own, for dlopen and dlclose. */
#include "tsd.h"
void run(void);
void run(void) {
  TSD_ZONE("in a library");
}
