"""The sandbox's filter of system calls (seccomp_filter in the kernel's documentation).

Numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux 6.1.
"""

import errno
import os
import platform
import struct
from collections.abc import Iterable
from functools import cache

DENIED = {
    # Other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    # Namespaces, mounts and roots.
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    # Parts of the kernel in which most holes were found.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "fanotify_init": (300, 262),
    "lookup_dcookie": (212, 18),
    # System V's memory, semaphores and queues stay when their process ends, and count for nobody.
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    # Watches: their number is bounded for a user, and one bot's would be missing to all others.
    "inotify_init1": (294, 26),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # The machine.
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
}
"""The numbers of the calls that fail with EPERM, by name: on x86_64, on aarch64."""

OLD = {"inotify_init": 253}
"""Further calls that fail so on x86_64, and are unknown elsewhere."""

FCNTL = (72, 25)
FILE_COMMANDS = (1024, 1026)
"""F_SETLEASE, which delays the programs that write a file, and F_NOTIFY, another kind of watch."""

MACHINES = ("x86_64", "aarch64")
"""The machines that there is a filter for."""

FAMILIES = (1, 2, 10, 16)
"""The kinds of socket that can be made: AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK.

AF_VSOCK is left out: it reaches the host of a virtual machine and ignores network namespaces.
"""

_AUDIT_ARCH = (0xC000003E, 0xC00000B7)
_CLONE = (56, 220)
_CLONE3 = 435
_SOCKET = (41, 198)
_X32 = 0x40000000
_NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET."""

_LOAD, _RETURN, _EQUAL, _AT_LEAST, _ANY_BIT = 0x20, 0x06, 0x15, 0x35, 0x45
_NUMBER, _ARCH, _ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
"""Places in `struct seccomp_data`; of the arguments, the low halves."""

_Step = tuple[int, int, int, int]

_ALLOW: _Step = (_RETURN, 0, 0, 0x7FFF0000)


@cache
def filter_program(machine: str) -> bytes:
    """Return the filter for a machine as classic BPF; empty if there is none for it."""
    if machine not in MACHINES:
        return b""
    place = MACHINES.index(machine)
    denied, absent = _fail(errno.EPERM), _fail(errno.ENOSYS)
    load_argument, load_second = (_LOAD, 0, 0, _ARGUMENT), (_LOAD, 0, 0, _SECOND_ARGUMENT)
    numbers = [each[place] for each in DENIED.values()]
    numbers += OLD.values() if machine == "x86_64" else ()
    steps = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, _AUDIT_ARCH[place]),
        absent,
        (_LOAD, 0, 0, _NUMBER),
        *_when(_AT_LEAST, _X32, absent),
        # Its flags are behind a pointer; libraries fall back to clone.
        *_when(_EQUAL, _CLONE3, absent),
        *(step for number in numbers for step in _when(_EQUAL, number, denied)),
        *_when(_EQUAL, _CLONE[place], load_argument, *_when(_ANY_BIT, _NAMESPACES, denied), _ALLOW),
        *_when(
            *(_EQUAL, FCNTL[place], load_second),
            *(step for each in FILE_COMMANDS for step in _when(_EQUAL, each, denied)),
            _ALLOW,
        ),
        *_when(
            *(_EQUAL, _SOCKET[place], load_argument),
            *(step for family in FAMILIES for step in _when(_EQUAL, family, _ALLOW)),
            _fail(errno.EAFNOSUPPORT),
        ),
        _ALLOW,
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def open_filter() -> tuple[int, ...]:
    """Return a descriptor to read this machine's filter from; none if there is no filter."""
    program = filter_program(platform.machine())
    if not program:
        return ()
    reader, writer = os.pipe()
    os.write(writer, program)
    os.close(writer)
    return (reader,)


def filter_options(descriptors: Iterable[int]) -> tuple[str, ...]:
    """Return bubblewrap's options for an open filter."""
    return tuple(word for each in descriptors for word in ("--seccomp", str(each)))


def _fail(number: int) -> _Step:
    return (_RETURN, 0, 0, 0x00050000 | number)


def _when(test: int, value: int, *then: _Step) -> list[_Step]:
    """Return the steps that skip `then` unless the test of the loaded word holds."""
    return [(test, 0, len(then), value), *then]
