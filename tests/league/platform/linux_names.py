"""The names of the standard library that Linux has and macOS lacks."""

import importlib

LINUX_NAMES = {
    "os": (
        *("copy_file_range", "eventfd", "fdatasync", "getrandom", "memfd_create", "pidfd_open"),
        *("pipe2", "posix_fadvise", "posix_fallocate", "sched_getaffinity", "sched_setaffinity"),
        *("setns", "setresuid", "splice", "unshare", "waitid", "O_PATH", "O_TMPFILE"),
    ),
    "signal": ("pidfd_send_signal", "sigtimedwait", "sigwaitinfo", "SIGRTMIN", "SIGPWR"),
    "resource": ("prlimit", "RLIMIT_NICE", "RLIMIT_RTPRIO", "RLIMIT_SIGPENDING"),
    "fcntl": ("F_OFD_GETLK", "F_OFD_SETLK", "F_ADD_SEALS", "F_SETPIPE_SZ"),
    "select": ("epoll", "EPOLLIN"),
    "socket": ("SO_PEERCRED", "SO_PASSCRED", "AF_NETLINK", "SOCK_CLOEXEC", "MSG_NOSIGNAL"),
    "time": ("CLOCK_BOOTTIME", "pthread_getcpuclockid"),
}


def hide() -> None:
    """Remove the names from their modules."""
    for module, names in LINUX_NAMES.items():
        found = importlib.import_module(module)
        for name in names:
            if hasattr(found, name):
                delattr(found, name)
