#!/usr/bin/env python3
"""Writes large profiles, the same ones each time. Standard library only; a minute for a million samples.

    make_profiles.py FORMAT SAMPLES FILE [--sorted]

FORMAT: collapsed (as many distinct lines, 16 frames deep, 8 calls a line that no other has; --sorted
as scripts write them), speedscope (sampled), evented (speedscope's other form), cpuprofile, pprof,
perf_script, firefox (processed), gecko. All but collapsed walk through a program whose stacks are 8
to 40 frames deep; from a sample to the next three calls end and three begin, on average.
"""
import argparse
import random

FUNCTIONS, STACKS, INTERVAL_NS = 3000, 100_000, 1_000_000


def name_of(function):
    return f"engine::Part{function % 97}<int>::step_{function}(char const*, long)"


def walked_stacks(rng):
    """STACKS neighbouring stacks of functions, outermost first."""
    callees = [[rng.randrange(FUNCTIONS) for _ in range(4)] for _ in range(FUNCTIONS)]
    stack = [0]
    stacks = []
    for _ in range(STACKS):
        ended = min(int(rng.expovariate(1 / 3.5)), len(stack) - 1)
        del stack[len(stack) - ended:]
        begun = int(rng.expovariate(1 / 3.5))
        while len(stack) < 40 and (begun > 0 or len(stack) < 8):
            stack.append(callees[stack[-1]][min(int(rng.expovariate(1.5)), 3)])
            begun -= 1
        stacks.append(tuple(stack))
    return stacks


def sample_order(rng, samples):
    """Which of the stacks each sample has: steps to a near one, now and then to any."""
    at = 0
    for _ in range(samples):
        at = rng.randrange(STACKS) if rng.random() < 0.01 else (at + rng.randrange(-2, 4)) % STACKS
        yield at


def tree_of(stacks):
    """Nodes (caller's number or -1, function) and the node of each stack; callers come first."""
    numbers, nodes, node_of_stack = {}, [], []
    for stack in stacks:
        at = -1
        for function in stack:
            key = (at, function)
            at = numbers.get(key)
            if at is None:
                at = numbers[key] = len(nodes)
                nodes.append(key)
        node_of_stack.append(at)
    return nodes, node_of_stack


def listed(out, items, text):
    """Writes items between brackets, some thousands at a time."""
    out.write("[")
    first, batch = True, []
    for item in items:
        batch.append(text(item))
        if len(batch) == 20_000:
            out.write(("" if first else ",") + ",".join(batch))
            first, batch = False, []
    if batch:
        out.write(("" if first else ",") + ",".join(batch))
    out.write("]")


def write_collapsed(out, rng, samples, is_sorted):
    names = [f"Part{i % 97}::step_{i}" for i in range(1000)]
    lines = set()
    while len(lines) < samples:
        frames = [names[(2 * level + rng.randrange(2)) * 7] for level in range(7)]
        frames += [rng.choice(names) for _ in range(9)]
        lines.add(";".join(frames) + f" {rng.randrange(1, 50)}")
    lines = sorted(lines)
    if not is_sorted:
        rng.shuffle(lines)
    out.write("\n".join(lines) + "\n")


def write_speedscope(out, rng, samples, stacks):
    out.write('{"$schema":"https://www.speedscope.app/file-format-schema.json","name":"big","shared":{"frames":')
    listed(out, range(FUNCTIONS), lambda i: f'{{"name":"{name_of(i)}","file":"part{i % 97}.cc","line":{i}}}')
    out.write('},"profiles":[{"type":"sampled","name":"main","unit":"microseconds","startValue":0,'
              f'"endValue":{samples * 1000},"samples":')
    texts = ["[" + ",".join(map(str, stack)) + "]" for stack in stacks]
    listed(out, sample_order(rng, samples), lambda at: texts[at])
    out.write(',"weights":')
    listed(out, range(samples), lambda i: f"{1000 + i % 7}.5")
    out.write("}]}\n")


def write_evented(out, rng, samples, stacks):
    """As many events as `samples`, opens and closes."""
    out.write('{"$schema":"https://www.speedscope.app/file-format-schema.json","name":"big","shared":{"frames":')
    listed(out, range(FUNCTIONS), lambda i: f'{{"name":"{name_of(i)}"}}')
    out.write('},"profiles":[{"type":"evented","name":"main","unit":"microseconds","startValue":0,'
              f'"endValue":{samples * 1000},"events":')

    def events():
        open_frames, count = [], 0
        for i, at in enumerate(sample_order(rng, samples)):
            stack = stacks[at]
            same = 0
            while same < min(len(stack), len(open_frames)) and stack[same] == open_frames[same]:
                same += 1
            for frame in reversed(open_frames[same:]):
                yield "C", frame, i
            for frame in stack[same:]:
                yield "O", frame, i
            count += len(open_frames) + len(stack) - 2 * same
            open_frames = stack
            if count >= samples:
                break
        for frame in reversed(open_frames):
            yield "C", frame, i + 1

    listed(out, events(), lambda event: f'{{"type":"{event[0]}","frame":{event[1]},"at":{event[2]}.25}}')
    out.write("}]}\n")


def write_cpuprofile(out, rng, samples, stacks):
    nodes, node_of_stack = tree_of(stacks)
    children = [[] for _ in nodes]
    for number, (caller, _) in enumerate(nodes):
        if caller >= 0:
            children[caller].append(number + 2)
    out.write('{"nodes":')

    def node_text(number):
        if number < 0:
            frame = '"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1'
            return f'{{"id":1,"callFrame":{{{frame}}},"hitCount":0,"children":[2]}}'
        function = nodes[number][1]
        frame = (f'"functionName":"step{function}","scriptId":"{function % 97}",'
                 f'"url":"file:///app/part{function % 97}.js","lineNumber":{function},"columnNumber":{function % 80}')
        below = ",".join(map(str, children[number]))
        return f'{{"id":{number + 2},"callFrame":{{{frame}}},"hitCount":3,"children":[{below}]}}'

    listed(out, range(-1, len(nodes)), node_text)
    out.write(f',"startTime":5000000,"endTime":{5000000 + samples * 1000},"samples":')
    listed(out, sample_order(rng, samples), lambda at: str(node_of_stack[at] + 2))
    out.write(',"timeDeltas":')
    listed(out, range(samples), lambda i: str(1000 + i % 13 - 6))
    out.write("}\n")


def varint(value):
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def write_pprof(out, rng, samples, stacks):
    texts = {"": 0}

    def text(value):
        return texts.setdefault(value, len(texts))

    for type, unit in (("samples", "count"), ("cpu", "nanoseconds")):
        out.write(field(1, field(1, text(type)) + field(2, text(unit))))
    out.write(field(3, field(1, 1) + field(2, 0x400000) + field(3, 0x900000) + field(5, text("/app/server"))))
    # Four places in each function.
    for function in range(FUNCTIONS):
        out.write(field(5, field(1, function + 1) + field(2, text(name_of(function)))
                        + field(4, text(f"part{function % 97}.cc"))))
        for place in range(4):
            line = field(1, function + 1) + field(2, 10 * place + 1)
            number = function * 4 + place
            out.write(field(4, field(1, number + 1) + field(2, 1) + field(3, 0x400000 + 16 * number) + field(4, line)))
    bodies = []
    for stack in stacks:
        # Callers stand at the place of the call, which their callee decides; the innermost anywhere.
        ids = [varint(function * 4 + stack[i + 1] % 3 + 1) for i, function in enumerate(stack[:-1])]
        bodies.append((stack[-1], b"".join(reversed(ids))))
    batch = []
    for i, at in enumerate(sample_order(rng, samples)):
        leaf, callers = bodies[at]
        ids = varint(leaf * 4 + i % 4 + 1) + callers
        batch.append(field(2, field(1, ids) + field(2, varint(1) + varint(10_000_000))))
        if len(batch) == 20_000:
            out.write(b"".join(batch))
            batch = []
    out.write(b"".join(batch))
    for value in texts:
        out.write(field(6, value.encode()))


def write_perf_script(out, rng, samples, stacks):
    bodies = []
    for stack in stacks:
        lines = [f"\t    {0x55d000000000 + function * 256 + 16 * (stack[i + 1] % 3):x} {name_of(function)}"
                 f"+0x{16 * (stack[i + 1] % 3):x} (/app/lib/libpart{function % 7}.so)"
                 for i, function in enumerate(stack[:-1])]
        bodies.append((stack[-1], "\n".join(reversed(lines))))
    batch = []
    # Four threads in turn, each with stacks of its own.
    orders = [sample_order(random.Random(rng.random()), samples) for _ in range(4)]
    for i in range(samples):
        leaf, callers = bodies[next(orders[i % 4])]
        now = i * INTERVAL_NS
        offset = 4 * (i % 8)
        batch.append(f"server  8685/{8685 + i % 4} [{i % 4:03}] {now // 10**9}.{now % 10**9 // 1000:06}:     250000 "
                     f"cycles:u: \n\t    {0x55d000000000 + leaf * 256 + offset:x} {name_of(leaf)}+0x{offset:x} "
                     f"(/app/lib/libpart{leaf % 7}.so)\n{callers}\n\n")
        if len(batch) == 5_000:
            out.write("".join(batch))
            batch = []
    out.write("".join(batch))


def write_firefox(out, rng, samples, stacks, gecko):
    nodes, node_of_stack = tree_of(stacks)
    names = [name_of(i) for i in range(FUNCTIONS)]
    number = str
    out.write('{"meta":{"interval":1,"startTime":1700000000000,"processType":0,"product":"Firefox",'
              + ('"version":34' if gecko else '"version":36,"preprocessedProfileVersion":70')
              + ',"categories":[{"name":"Other","color":"grey","subcategories":["Other"]}]},"libs":[],')
    if gecko:
        out.write('"threads":[{"name":"GeckoMain","pid":7,"tid":7,"stringTable":')
        listed(out, names, lambda name: f'"{name}"')
        out.write(',"frameTable":{"schema":{"location":0,"relevantForJS":1,"innerWindowID":2,"implementation":3,'
                  '"line":4,"column":5,"category":6,"subcategory":7},"data":')
        listed(out, range(FUNCTIONS), lambda i: f"[{i},false,0,null,{i},null,0,0]")
        out.write('},"stackTable":{"schema":{"prefix":0,"frame":1},"data":')
        listed(out, nodes, lambda node: f"[{'null' if node[0] < 0 else node[0]},{node[1]}]")
        out.write('},"samples":{"schema":{"stack":0,"time":1,"eventDelay":2,"threadCPUDelta":3},"data":')
        listed(out, enumerate(sample_order(rng, samples)),
               lambda one: f"[{node_of_stack[one[1]]},{one[0]}.{one[0] % 1000000:06},{one[0] % 7}.25,{one[0] % 900}]")
        out.write('},"markers":{"schema":{"name":0,"startTime":1,"endTime":2,"phase":3,"category":4,"data":5},"data":')
        listed(out, range(samples // 10), lambda i: f'[{i % 50},{10 * i}.5,{10 * i + 3}.25,{i % 2},0,'
               f'{{"type":"Text","name":"a marker {i}"}}]')
        out.write("}}]}\n")
        return
    out.write('"shared":{"stringArray":')
    listed(out, names, lambda name: f'"{name}"')
    out.write(f',"funcTable":{{"length":{FUNCTIONS},"name":')
    listed(out, range(FUNCTIONS), number)
    for key in ("isJS", "relevantForJS"):
        out.write(f',"{key}":')
        listed(out, range(FUNCTIONS), lambda i: "false")
    for key, value in (("resource", "-1"), ("source", "null"), ("lineNumber", "null"), ("columnNumber", "null")):
        out.write(f',"{key}":')
        listed(out, range(FUNCTIONS), lambda i, value=value: value)
    out.write(f'}},"frameTable":{{"length":{FUNCTIONS},"func":')
    listed(out, range(FUNCTIONS), number)
    for key, value in (("address", "-1"), ("category", "0"), ("line", "null"), ("column", "null")):
        out.write(f',"{key}":')
        listed(out, range(FUNCTIONS), lambda i, value=value: value)
    out.write(f'}},"stackTable":{{"length":{len(nodes)},"frame":')
    listed(out, nodes, lambda node: str(node[1]))
    out.write(',"prefixOffset":')
    listed(out, enumerate(nodes), lambda one: str(0 if one[1][0] < 0 else one[0] - one[1][0]))
    out.write(f'}}}},"threads":[{{"name":"GeckoMain","pid":"7","tid":7,"samples":{{"length":{samples},"stack":')
    listed(out, sample_order(rng, samples), lambda at: str(node_of_stack[at]))
    out.write(',"timeDeltas":')
    listed(out, range(samples), lambda i: f"1.{i * 7 % 100:06}")
    out.write(',"eventDelay":')
    listed(out, range(samples), lambda i: f"{i % 7}.25")
    out.write(',"threadCPUDelta":')
    listed(out, range(samples), lambda i: str(i % 900))
    marks = samples // 10
    out.write(f'}},"markers":{{"length":{marks},"name":')
    listed(out, range(marks), lambda i: str(i % 50))
    out.write(',"startTime":')
    listed(out, range(marks), lambda i: f"{10 * i}.5")
    out.write(',"endTime":')
    listed(out, range(marks), lambda i: f"{10 * i + 3}.25")
    out.write(',"phase":')
    listed(out, range(marks), lambda i: str(i % 2))
    out.write(',"category":')
    listed(out, range(marks), lambda i: "0")
    out.write(',"data":')
    listed(out, range(marks), lambda i: f'{{"type":"Text","name":"a marker {i}"}}')
    out.write("}}]}\n")


def main():
    formats = ("collapsed", "speedscope", "evented", "cpuprofile", "pprof", "perf_script", "firefox", "gecko")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("format", choices=formats)
    parser.add_argument("samples", type=lambda text: int(float(text)))
    parser.add_argument("file")
    parser.add_argument("--sorted", action="store_true")
    options = parser.parse_args()
    rng = random.Random(8)
    stacks = [] if options.format == "collapsed" else walked_stacks(rng)
    with open(options.file, "wb" if options.format == "pprof" else "w") as out:
        if options.format == "collapsed":
            write_collapsed(out, rng, options.samples, options.sorted)
        elif options.format in ("firefox", "gecko"):
            write_firefox(out, rng, options.samples, stacks, options.format == "gecko")
        else:
            writer = globals()["write_" + options.format]
            writer(out, rng, options.samples, stacks)


if __name__ == "__main__":
    main()
