"""Subclasses of a game's positions that pass for the class itself."""

from typing import Any


def disguised(kind: Any, **parts: Any) -> type:
    """Return a subclass of `kind` with other `parts`, for positions that exist already.

    Its instances are of the class `kind` for everybody who asks; what is made by calling it, by
    copying or by pickling them is of that class indeed.
    """

    def reduce(self: Any, protocol: Any) -> Any:
        reduced = kind.__reduce_ex__(self, protocol)
        if isinstance(reduced, str):
            return reduced
        make, arguments, *rest = reduced
        return (make, tuple(kind if each is made else each for each in arguments), *rest)

    usual = {
        "__slots__": (),
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
        "__doc__": kind.__doc__,
        "__class__": property(lambda self: kind),
        "__new__": lambda cls, *arguments, **named: kind(*arguments, **named),
        "__reduce_ex__": reduce,
    }
    made: type = type(kind)(kind.__name__, (kind,), {**usual, **parts})
    return made


def disguise(state: object, kind: type) -> bool:
    """Give a position that class; return False if its own has a layout that does not allow it."""
    try:
        object.__setattr__(state, "__class__", kind)
    except TypeError:
        # As of a library in C.
        return False
    return True
