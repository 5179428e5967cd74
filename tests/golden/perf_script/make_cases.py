#!/usr/bin/env python3
"""Writes the inputs of this folder's cases: texts of perf script by hand, each with what it is named for."""
import pathlib

HERE = pathlib.Path(__file__).parent
LIB = "/usr/lib/libc.so.6"


def write(case, text, encoding="utf-8", end="\n"):
    folder = HERE / case
    folder.mkdir(exist_ok=True)
    (folder / "input").write_bytes(text.lstrip("\n").replace("\n", end).encode(encoding))


write("names", f"""
# ========
# captured on    : Mon Jan  5 10:00:00 2026
# hostname : box
# cmdline : /usr/bin/perf record -g -- ./mix
# ========
#
mix  8685  3319.450759:     250000 cpu-clock:pppH: 
\tffffffff81409e44 __rcu_read_unlock+0x14 ([kernel.kallsyms])
\t           20ca3 mmap64+0x13 ({LIB})
\t               0 [unknown] ([unknown])

pool 1  8690  3319.451000:     250000 cpu-clock:pppH: 
\t           20ca3 mmap64+0x13 ({LIB})
\t           30000 operator()(int, (anonymous namespace)::x) const+0x3 (/home/a b/demo)
\t           30001 [unknown] (/tmp/gone.so (deleted))
\t           30002 [unknown] (/tmp/perf-8685.map)

pool 1  8690  3319.451250:     250000 cpu-clock:pppH: 
\t           20ca9 mmap64+0x19 ({LIB})
\t           30000 operator()(int, (anonymous namespace)::x) const+0x3 (/home/a b/demo)
\t           30001 [unknown] (/tmp/gone.so (deleted))
\t           30002 [unknown] (/tmp/perf-8685.map)

:-1    -1  3319.451300:     250000 cpu-clock:pppH: 
\tffffffff81409e44 __rcu_read_unlock+0x14 ([kernel.kallsyms])

mix2  8685  3319.451009:     250000 cpu-clock:pppH: 
\tffffffff81409e44 __rcu_read_unlock+0x14 ([kernel.kallsyms])

""")
write("processes", """
a 10/10 [000] .... 5.000001: 1000 cycles:u: 
\t 1 f (/a)
\t 2 main (/a)

b 10/11 [001] d..1 5.000002: 1000 cycles:u: 
\t 1 f (/a)

swapper 0/0 [000] 5.000003: 1000 cycles:u: 
\tffffffff1 idle ([kernel.kallsyms])

swapper 0/0 [001] 5.000003: 1000 cycles:u: 
\tffffffff2 idle ([kernel.kallsyms])

a 10/10 [000] .... 5.000005: 1000 cycles:u: 
\t 3 g (/a)
\t 2 main (/a)

a 10/10 [000] .... 5.000900: 1000 cycles:u: 
\t 3 g (/a)
\t 2 main (/a)

""")
write("events", """
a 10 1.000000: 1 page-faults: 
\t 1 f (/a)

a 10 1.000100: 1000 cpu_core/cycles/u: 
\t 1 f (/a)

a 10 1.000200: 1000 cpu_atom/cycles/u: 
\t 2 g (/a)

a 10 1.000300: 7 cpu_core/instructions/: 
\t 2 g (/a)

a 10 1.000350: sched:sched_switch: prev_comm=a prev_pid=10 ==> next_comm=b
a 10 1.000400: sched:sched_waking: comm=b pid=11
\t 5 wake (/a)

a 10 1.000450: 1 page-faults: 
\t 1 f (/a)

a 10 1.000500: cycles:u: 

a 10/10 1.000600: PERF_RECORD_COMM: a:10/10
""")
write("lines", """
             mix 11328  5019.073599:    1001001 cpu-clock:pppH:      7fe8fb161033 do_lookup_x+0x2d3 (/usr/lib/ld.so)
             mix 11328  5019.074600:    1001001 cpu-clock:pppH:      7fe8fb161034 do_lookup_x+0x2d4 (/usr/lib/ld.so)
stray line
""")
write("inlined", """
mix  8293/8337   5008.152674303:    1001001 cpu-clock:pppH: 
\t 313e std::sort<int>+0x3e (inlined)
  stl_algo.h:4853 (inlined)
\t 313e shop::Sorter::operator()+0x3e (/home/demo/mix)
  mix.cc:19
\t 98d9 clone3+0x19 (/usr/lib/libc.so.6)
  libc.so.6[98d9]

mix  8293/8337   5008.153674303:    1001001 cpu-clock:pppH: 
\t 3140 std::sort<int>+0x40 (inlined)
  stl_algo.h:4860 (inlined)
\t 313e shop::Sorter::operator()+0x3e (/home/demo/mix)
  mix.cc:19
\t 98d9 clone3+0x19 (/usr/lib/libc.so.6)
  ??:0
\t          THIS_IS_NO_FRAME

""")
UNTIMED = """
java 19983 cycles:
ffffffff8103d0ca native_write_msr_safe ([kernel.kallsyms])
7f7241fbe6d8 arrayOopDesc::base(BasicType) const (/jre/libjvm.so)
7f7241239aec writeBytes (/jre/libjava.so)

java worker 19984 [002] 4000 cycles:
7f7241239aec writeBytes (/jre/libjava.so)

java 19983 cycles:
7f7241239aec writeBytes (/jre/libjava.so)
"""
write("no_times", UNTIMED)
write("some_times", UNTIMED + """
java 19983 77.5: 1 cycles:
\t7f7241239aec writeBytes (/jre/libjava.so)
""")
TABS = """
Gecko\t25122 [007] 115539.936601:\t\t1000000 task-clock:u:
        b3cea6c4\tLock::unlock() (/system/lib/libc.so)
        b3cea535\tshould_trace() (/system/lib/libc.so)

Gecko\t25122 [007] 115539.938601:\t\t1000000 task-clock:u:
        b3cea535\tshould_trace() (/system/lib/libc.so)

Gecko\t25122 [007] 115539.937601:\t\t1000000 task-clock:u:
        b3cea535\tshould_trace() (/system/lib/libc.so)
"""
write("tabs", TABS)
write("windows", TABS, end="\r\n")
write("utf16", TABS, encoding="utf-16", end="\r\n")
write("cut_in_frame", TABS[:-12])
write("cut_in_address", TABS[:TABS.rindex("cea535") + 3])
write("cut_in_record", TABS[:TABS.rindex("task")])
write("tracepoints", """
             mix 31854 [001]  6341.279674: sched:sched_process_fork: comm=mix pid=31854
          pool 1 31859 [001]  6341.285555: sched:sched_stat_runtime: comm=pool 1 pid=31859 runtime=927377 [ns]
""")
write("one_sample", """
a 10 1.5: 2500 cpu-clock:
\t1 f (/a)""")

# On the same CPU samples come each 1 ms: 3 ms are no gap, a nanosecond more is. Thread 11 changes its CPU.
write("gaps", """
a 10/10 [000] 1.000000000: 1000000 cycles:
\t1 f (/a)

a 10/10 [000] 1.001000000: 1000000 cycles:
\t1 f (/a)

a 10/10 [000] 1.004000000: 1000000 cycles:
\t1 f (/a)

a 10/10 [000] 1.007000001: 1000000 cycles:
\t1 f (/a)

b 10/11 [000] 1.008000001: 1000000 cycles:
\t2 g (/a)

b 10/11 [001] 1.009500001: 1000000 cycles:
\t2 g (/a)

b 10/11 [001] 1.010500001: 1000000 cycles:

b 10/11 [001] 1.011500001: 1000000 cycles:
\t2 g (/a)

""")
# None of these counts the CPU: the one with most frames is the main one, the first of equals.
write("main_of_others", """
a 10 1.000000: 1 page-faults:
\t1 f (/a)

a 10 1.000100: 3 branch-misses/u:
\t1 f (/a)

a 10 1.000200: 3 cycles:u:

a 10 1.000300: 3 cycles:u:

""")
write("no_times_two_events", """
a 10 cycles:u:
\t1 f (/a)
\t2 main (/a)

a 10 7 faults:
\t1 g (/a)

b 11 12 250000 cycles:u:
\t1 f (/a)
\t2 main (/a)

a 10 cycles:u:
\t2 main (/a)

""")
write("modules", """
a 10 1.000000: 1000 cpu-clock:
\tffffffff81409e44 ext4_read+0x14 ([ext4])
\tffffffff81409e45 vm+0x1 (/usr/lib/debug/vmlinux)
\tffffffff81409e46 drv+0x1 (/lib/modules/6.1/drv.ko.xz)
\t    7ffd00001000 __vdso_gettime+0x10 ([vdso])
\t    7ffd00002000 [unknown] ([heap])
\t            1000 [unknown] ([JIT] tid 77)
\t            1001 run+0x5 (/tmp/jitted-77-3.so)
\t            1002 [unknown] (/opt/my app/lib (1).so)
\t            1003 no_module
\t            1004 (/usr/bin/only_module+0x33)
\t            1005 Foo::operator() const (.isra.0)+0x7 (/usr/bin/x)
\t            1006 bar+0xzz (/usr/bin/x)

""")
write("odd_lines", """
# comment
\t 1 stray_frame (/a)
a 10 1.000000: 1000 cpu-clock: 
\t 1 f (/a)
  ??:0
  nothing at all
a.c:12
 5 g (/a)
6 unindented (/a)
7 unindented without bracket
\t\tb 10 1.5: 1000 cpu-clock:
\t8 h (/a)
  lost+found 12 1.000500: 1000 cpu-clock: 
\t9 i (/a)
""")
