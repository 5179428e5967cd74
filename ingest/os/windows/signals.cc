// What comes from the keyboard of a console in place of signals.
#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <cstdio>

#include "ingest/os/cancel_signals.h"
#include "ingest/os/passed_signals.h"
#include "ingest/os/write_signals.h"

namespace cinderscope {
namespace {

std::atomic<std::atomic<bool>*> g_flag{nullptr};

// Each runs on a thread of its own.
BOOL CALLBACK set_flag(DWORD) {
  std::atomic<bool>* const flag = g_flag.load();
  return flag != nullptr && !flag->exchange(true) ? TRUE : FALSE;  // a second one ends the program
}

BOOL CALLBACK leave_to_program(DWORD event) {
  return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT ? TRUE : FALSE;
}

}  // namespace

CancelSignals::CancelSignals(std::atomic<bool>& flag) {
  g_flag = &flag;
  SetConsoleCtrlHandler(set_flag, TRUE);
}

CancelSignals::~CancelSignals() {
  SetConsoleCtrlHandler(set_flag, FALSE);
  g_flag = nullptr;
}

PassedSignals::PassedSignals() {
  SetConsoleCtrlHandler(leave_to_program, TRUE);
}

void PassedSignals::pass_to(std::int64_t) {}  // the console sends to both

void PassedSignals::end() {
  SetConsoleCtrlHandler(leave_to_program, FALSE);
}

// There are no such signals; but standard output would be written with CR before each LF.
void take_write_signals_as_errors() {
  _setmode(_fileno(stdout), _O_BINARY);
}

}  // namespace cinderscope
