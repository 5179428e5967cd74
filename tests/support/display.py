"""An X server of one's own and the surroundings of a window in it, for tests and for the pictures of docs."""
import os
import subprocess


class Display:
    """An X server without a screen, on a free display number; closed by close() or at the end of `with`."""

    def __init__(self, size="1600x1000"):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", size + "x24", "-nolisten", "tcp"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        self.name = ":" + number

    def close(self):
        self.server.terminate()
        self.server.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def environment(display, home):
    """The variables of a window on `display` that is drawn by the CPU and keeps everything below `home`."""
    env = dict(os.environ, DISPLAY=display, LIBGL_ALWAYS_SOFTWARE="1", HOME=home,
               XDG_CONFIG_HOME=home + "/config", XDG_CACHE_HOME=home + "/cache",
               XDG_STATE_HOME=home + "/state", XDG_DATA_HOME=home + "/data")
    env.setdefault("XDG_RUNTIME_DIR", home)  # libwayland complains where there is none
    env.pop("WAYLAND_DISPLAY", None)
    return env
