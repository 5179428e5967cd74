/* What a program did before it crashed. Live mode (the default) needs no handler: all that was
 * recorded is in the file, even after kill -9. In memory mode a handler writes it.
 *   gcc -O2 crash.c tsd.c -pthread -o crash && TSD_PATH=crash.tsd TSD_MODE=memory TSD_CRASH=1
 * ./crash || cinderscope crash.tsd */
#include "tsd.h"

static int look_up(int* const* table, int i) {
  TSD_FUNCTION();
  TSD_ARG_I64("i", i);
  return *table[i];
}

int main(void) {
  static int zero;
  static int* table[100];
  int i, sum = 0;
  for (i = 0; i < 99; i++) table[i] = &zero;
  for (i = 0; i < 100; i++) sum += look_up(table, i);
  return sum;
}
