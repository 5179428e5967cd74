# Writes the commit of the sources into a header, if it is another one than there: cmake -D SOURCE=… -D OUT=… -P.
# Without git it is that of the variable CINDERSCOPE_COMMIT, as a package's builder sets it.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit "$ENV{CINDERSCOPE_COMMIT}")
endif()
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define CINDERSCOPE_COMMIT \"@commit@\"\n" @ONLY)
