"""The network that an address belongs to."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

_NAT64 = IPv6Network("64:ff9b::/96")
"""Stands for all of IPv4 in networks of IPv6 alone (RFC 6052)."""


def network_of(address: str) -> str:
    """Return an address, or of IPv6 the network of 64 bits that one subscriber has.

    >>> network_of("2001:db8:0:1::7"), network_of("::ffff:192.0.2.1"), network_of("unix")
    ('2001:db8:0:1::', '192.0.2.1', '')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> 64 << 64))
    return str(found)


def is_public(address: str) -> bool:
    """Whether an address is one of the internet: not private, of this machine, link or a group.

    An address of IPv6 that stands for one of IPv4 is judged by that one.

    >>> is_public("192.0.43.8"), is_public("10.0.0.1"), is_public("::ffff:127.0.0.1")
    (True, False, False)
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        within = _ipv4_in(found)
        if within is not None:
            return is_public(str(within))
        # Some versions of Python count the addresses of a site (fec0::/10) as global.
        if found.is_site_local:
            return False
    return found.is_global and not found.is_multicast and not found.is_reserved


def _ipv4_in(address: IPv6Address) -> IPv4Address | None:
    """Return the address of IPv4 to which packets for one of IPv6 may go; None for none."""
    if address in _NAT64 or int(address) >> 32 == 0:
        # The second is the old form "::192.0.2.1"; it has :: and ::1 too, which are not public.
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    # Teredo: its server forwards to the client's address.
    return address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
