/* A program in C: counts the words of a file.
 *   gcc -O2 words.c tsd.c -pthread -o words && TSD_PATH=words.tsd ./words words.c && cinderscope
 * words.tsd */
#include <stdio.h>
#include <string.h>

#include "tsd.h"

static int count_words(const char* line) {
  int words = 0, inside = 0;
  TSD_FUNCTION();
  TSD_ARG_TEXT("line", line, strlen(line));
  for (; *line; line++) {
    const int letter = *line > ' ';
    words += letter && !inside;
    inside = letter;
  }
  return words;
}

int main(int argc, char** argv) {
  char line[1024];
  int words = 0;
  FILE* file = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (!file) return 1;
  TSD_ENTER("read the file");
  while (fgets(line, sizeof line, file)) {
    words += count_words(line);
    TSD_COUNTER("words", words);
  }
  TSD_LEAVE();
  fclose(file);
  printf("%d words\n", words);
  return 0;
}
