"""Takes what lies on an X clipboard, as another program does: the ICCCM, long contents piece by piece (INCR)."""
import ctypes
import time

PROPERTY_NOTIFY, SELECTION_NOTIFY = 28, 31
PROPERTY_MASK, NEW_VALUE = 1 << 22, 0
ANY_TYPE = 0


class Reader:
    def __init__(self, display):
        self.x = ctypes.CDLL("libX11.so.6")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        for name in ("XInternAtom", "XDefaultRootWindow", "XCreateSimpleWindow"):
            getattr(self.x, name).restype = ctypes.c_ulong
        self.x.XGetAtomName.restype = ctypes.c_char_p
        self.server = ctypes.c_void_p(self.x.XOpenDisplay(display.encode()))
        root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.server))
        self.window = ctypes.c_ulong(self.x.XCreateSimpleWindow(self.server, root, 0, 0, 1, 1, 0, 0, 0))
        self.x.XSelectInput(self.server, self.window, ctypes.c_long(PROPERTY_MASK))
        self.property = self.atom("READ")

    def close(self):
        self.x.XCloseDisplay(self.server)

    def atom(self, name):
        return ctypes.c_ulong(self.x.XInternAtom(self.server, name.encode(), 0))

    def event(self, kind, until):
        """The next event of that kind as its longs; None if it does not come."""
        event = (ctypes.c_long * 24)()
        while time.time() < until:
            if self.x.XCheckTypedEvent(self.server, kind, ctypes.byref(event)):
                return list(event)
            time.sleep(0.002)
        return None

    def take_property(self):
        """(type, bytes) of the property, which is deleted."""
        kind, bits = ctypes.c_ulong(), ctypes.c_int()
        count, left = ctypes.c_ulong(), ctypes.c_ulong()
        data = ctypes.c_void_p()
        self.x.XGetWindowProperty(self.server, self.window, self.property, ctypes.c_long(0),
                                  ctypes.c_long(1 << 26), 1, ctypes.c_ulong(ANY_TYPE), ctypes.byref(kind),
                                  ctypes.byref(bits), ctypes.byref(count), ctypes.byref(left), ctypes.byref(data))
        width = {8: 1, 16: 2, 32: ctypes.sizeof(ctypes.c_long)}.get(bits.value, 0)
        content = ctypes.string_at(data, count.value * width) if data else b""
        if data:
            self.x.XFree(data)
        self.x.XFlush(self.server)
        return kind.value, content

    def read(self, target, patience_s=20):
        """The bytes, and into how many pieces they came (1: at once). None: nobody has them."""
        until = time.time() + patience_s
        while self.event(PROPERTY_NOTIFY, time.time() + 0.01):
            pass
        self.x.XConvertSelection(self.server, self.atom("CLIPBOARD"), self.atom(target), self.property,
                                 self.window, ctypes.c_ulong(0))
        self.x.XFlush(self.server)
        answer = self.event(SELECTION_NOTIFY, until)
        while answer is not None and answer[6] != self.atom(target).value:  # of what was asked before
            answer = self.event(SELECTION_NOTIFY, until)
        if answer is None or answer[7] == 0:  # its property
            return None
        kind, content = self.take_property()
        if kind != self.atom("INCR").value:
            return content, 1
        pieces = []
        while True:
            change = self.event(PROPERTY_NOTIFY, until)
            if change is None:
                raise AssertionError("a piece did not come")
            if change[5] != self.property.value or change[7] & 0xffffffff != NEW_VALUE:
                continue
            kind, piece = self.take_property()
            if kind == 0:
                continue  # the piece of this event was read with the one before
            if not piece:
                return b"".join(pieces), len(pieces)
            pieces.append(piece)

    def targets(self):
        found = self.read("TARGETS")
        if found is None:
            return []
        size = ctypes.sizeof(ctypes.c_long)
        atoms = [int.from_bytes(found[0][at:at + size], "little") for at in range(0, len(found[0]), size)]
        return [self.x.XGetAtomName(self.server, ctypes.c_ulong(atom)).decode() for atom in atoms]
