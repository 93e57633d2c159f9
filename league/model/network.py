"""The network that an address belongs to."""

from ipaddress import IPv6Address, ip_address


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
