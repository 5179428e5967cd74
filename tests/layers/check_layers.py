"""Checks what the folders may use of each other and of the system: check_layers.py SOURCE_DIR.

Prints every include against the arrows, every folder that holds too many files, types of one name in
two headers, which the linker would take for one, and what would fail on another system: its macros
outside of its rooms, paths made of bytes, thread_local objects that need a destructor.
"""
import collections
import pathlib
import re
import sys

FOLDERS = ("app", "render", "formats", "ingest")
MOST_FILES = 35  # of product code in one folder

# A room and what it may use; itself is understood. The longest name that fits a file counts.
MAY_USE = {
    "ingest/base": (),
    "ingest/os": ("ingest/base",),
    "ingest/input": ("ingest/base", "ingest/os"),
    "ingest/model": ("ingest/base",),
    "ingest/build": ("ingest/base", "ingest/os", "ingest/model"),
    "ingest/format": ("ingest/base", "ingest/os", "ingest/input", "ingest/model", "ingest/build"),
    "ingest/part": ("ingest/base", "ingest/os", "ingest/input", "ingest/model", "ingest/build",
                    "ingest/format", "ingest/search"),
    "ingest/prepared": ("ingest/base", "ingest/os", "ingest/model", "ingest/totals"),
    "ingest/search": ("ingest/base", "ingest/model"),
    "ingest/totals": ("ingest/base", "ingest/model"),
    "ingest/compare": ("ingest/base", "ingest/model", "ingest/search", "ingest/totals"),
    "ingest/sql": ("ingest/base", "ingest/os", "ingest/model", "ingest/format", "ingest/search",
                   "ingest/totals", "ingest/compare"),
    "render/base": ("ingest",),
    "render/layout": ("ingest", "render/base"),
    "render/text": ("ingest", "render/base", "render/layout"),
    "render/tables": ("ingest", "render/base", "render/layout", "render/text"),
    "render/pictures": ("ingest", "render/base", "render/layout", "render/text", "render/tables"),
    "render/editing": ("ingest",),
    "render/views": ("ingest", "render"),
    "formats": ("ingest", "formats"),  # a format's folder: ingest only, see may_use()
    "app": ("ingest", "render", "formats", "app"),
}

# What asks the operating system: a folder for each system, of which CMake chooses one.
SYSTEMS = ("posix", "windows", "web")
SYSTEM_ROOMS = tuple(f"{room}/{system}" for room in ("ingest/os", "app/desktop") for system in SYSTEMS)

SYSTEM = re.compile(
    r"(unistd|fcntl|poll|signal|spawn|malloc|dirent|pthread|dlfcn|termios|sched|glob|pwd|netdb|io|share|process)\.h$"
    r"|(windows|winsock2?|ws2tcpip|psapi|shlobj|shobjidl|shellapi|dwrite\w*|winreg|emscripten)\.h$"
    r"|(sys|linux|X11|xcb|wayland|arpa|netinet|net|fontconfig|dbus|emscripten)/|csignal$|asio\b")

# Includes that only some rooms may have, and whether their headers may have them, too.
ONLY_IN = (
    ("the operating system", SYSTEM.match, (*SYSTEM_ROOMS, "app/window/web"), False),
    ("Dear ImGui", re.compile(r"(misc/.*/|backends/)?imgui").match,
     ("render/views", "app/window"), True),
    ("cairo", re.compile(r"cairo").match, ("render/pictures",), False),
    ("simdjson", re.compile(r"simdjson").match, ("formats", "ingest/base/json"), True),
)
ALLOWED = {("app/collector/collect_server.cc", "asio.hpp"),
           ("app/collector/collect_server.cc", "csignal")}  # the signals that asio waits for


# A type that a header defines in a namespace, for all who include it.
TYPE = re.compile(r"^(?:struct|class|enum class) (?:alignas\(\w+\) )?(\w+)(?: final)?(?: :[^;{]*)? \{",
                  re.MULTILINE)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)


# Of one system. Those of a library (CINDERSCOPE_CAIRO) are no matter of this check.
SYSTEM_MACRO = re.compile(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(_WIN(?:32|64)|_MSC_VER|__MINGW\w*|__CYGWIN__|"
                          r"__linux__|__unix__|__APPLE__|__ANDROID__|__GLIBC__|_POSIX\w*|__EMSCRIPTEN__|__wasm\w*)\b")
MACRO_ROOMS = (*SYSTEM_ROOMS, "app/window/display",
               "formats/thread_stream/recorder")  # a product of its own, for other people's programs

# Bytes are UTF-8 to us, but not to another system's paths: path_of(), utf8_of().
RAW_PATH = re.compile(r"\.(?:generic_)?(?:u8)?string\(\)|\bu8path\b|\b(?:fs|filesystem)::path[({](?![)}])"
                      r"|\b(?:fs|filesystem)::path \w+[({](?![)}]|$|const |[\w:<>]+[&*]* \w)")  # no function
PATH_PAIR = ("ingest/base/path_text.h", "ingest/base/path_text.cc")

# GCC's emulated thread-local storage, as on Windows, runs destructors after their memory has gone.
THREAD_LOCAL = re.compile(r"\bthread_local (?:const )?(.+?[ *&])(\w+)(?: =|;|\(|\{)")
PLAIN_TYPE = re.compile(r"(?:bool|char|int|unsigned|float|double|std::u?int\d+_t|std::size_t|[\w:]+(?: const)?\*) ?$")


def within(path, room):
    return path == room or path.startswith((room + "/", room + "."))


def room_of(path):
    return max((room for room in MAY_USE if within(path, room)), key=len, default=None)


def may_use(path, target):
    for room in SYSTEM_ROOMS:
        if within(target, room) and not within(path, room):
            return False
    room = room_of(path)
    if room == "formats":
        own = path.rsplit("/", 1)[0]
        while own.count("/") > 1:
            own = own.rsplit("/", 1)[0]
        return within(target, "ingest") or own == "formats" or within(target, own)
    if room == "app" and target.count("/") > 1 and within(target, "formats"):
        return any(within(path, knows) for knows in ("app/collector", "app/recording"))
    if within(target, "app/window") and not within(path, "app/window"):
        return path == "app/main.cc"
    if within(target, "app/cli") and not within(path, "app/cli"):
        return path in ("app/main.cc", "app/window/view_frames.h")  # these take part in a bench
    return any(within(target, used) for used in (room, *MAY_USE[room]))


def against_the_rules(path, include, quoted):
    """What is wrong with an include of a file; none if nothing is."""
    if quoted and include.split("/")[0] in FOLDERS:
        if not may_use(path, include):
            return f"{room_of(path)} may not use {include.rsplit('/', 1)[0]}"
        return None
    for what, matches, rooms, in_headers in ONLY_IN:
        if not matches(include) or (path, include) in ALLOWED:
            continue
        if not any(within(path, room) for room in rooms):
            return f"{what} belongs to {' and '.join(rooms)}"
        if path.endswith(".h") and not in_headers:
            return f"headers do not show {what}"
    return None


def fails_elsewhere(path, text):
    """What of a file would not do on another system, as (line number, line, why)."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        macro = SYSTEM_MACRO.match(line)
        code = line.split("//")[0]
        kept = THREAD_LOCAL.search(code)
        if macro and not any(within(path, room) for room in MACRO_ROOMS):
            found.append((number, line, f"{macro[1]} belongs to a folder of that system"))
        elif RAW_PATH.search(code) and path not in PATH_PAIR and not within(path, "formats/thread_stream/recorder"):
            found.append((number, line, "use path_of() and utf8_of()"))
        elif kept and not PLAIN_TYPE.match(kept[1]) and \
                f"is_trivially_destructible_v<decltype({kept[2]})>" not in text:
            found.append((number, line, "a thread_local needs a static_assert that it needs no destructor"))
    return found


def violations(source_dir):
    root = pathlib.Path(source_dir)
    found, seen, files_in, defined_in = [], 0, collections.Counter(), {}
    for folder in FOLDERS:
        for file in sorted(root.glob(folder + "/**/*")):
            if file.suffix not in (".h", ".cc"):
                continue
            seen += 1
            path = file.relative_to(root).as_posix()
            files_in[path.rsplit("/", 1)[0]] += 1
            if room_of(path) is None:
                found.append(f"{path}: lies in no room that is known here")
                continue
            text = file.read_text()
            for name in TYPE.findall(text) if file.suffix == ".h" else ():
                key = (*NAMESPACE.findall(text)[:1], name)
                if defined_in.setdefault(key, path) != path:
                    found.append(f"{path}: {name} is another type in {defined_in[key]}")
            for number, line, why in fails_elsewhere(path, text):
                found.append(f"{path}:{number}: {line.strip()}: {why}")
            for number, line in enumerate(text.splitlines(), 1):
                include = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
                wrong = include and against_the_rules(path, include[2], include[1] == '"')
                if wrong:
                    found.append(f"{path}:{number}: {line.strip()}: {wrong}")
    for folder, count in sorted(files_in.items()):
        if count > MOST_FILES:
            found.append(f"{folder}: {count} files, more than {MOST_FILES}")
    return found, seen


def main():
    found, seen = violations(sys.argv[1])
    for line in found:
        print(line)
    print(f"{len(found)} violations in {seen} files")
    return 1 if found or seen < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
