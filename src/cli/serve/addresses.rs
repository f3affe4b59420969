//! Addresses at which other computers reach this one.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Somewhere outside, in addresses for documentation (RFC 5737, RFC 3849): the system says by which way it would go there. Nothing is sent.
const OUTSIDE: [SocketAddr; 2] = [
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 9),
    SocketAddr::new(IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)), 9),
];

/// An address of this computer with the name of the interface that has it, as the system calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The address.
    pub address: IpAddr,
    /// The interface: `wlan0`, `eth0`.
    pub interface: String,
}

/// The addresses at which others reach a server that listens at all addresses of a kind. First comes the one by which this computer goes to other
/// networks, which is the one of the room.
#[must_use]
pub fn reached(all_of: IpAddr) -> Vec<Reached> {
    let ways: Vec<IpAddr> = OUTSIDE.into_iter().filter_map(way_to).collect();
    // Without a list from the system, the way outside is still known.
    let listed = if_addrs::get_if_addrs().unwrap_or_default();
    let listed = listed.into_iter().map(|found| Reached { address: found.ip(), interface: found.name }).collect();
    ordered(all_of, &ways, listed)
}

/// The address of this computer from which it would reach another one.
fn way_to(other: SocketAddr) -> Option<IpAddr> {
    let any: IpAddr = if other.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect(other).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// The addresses that can be typed elsewhere: those on the ways outside, other ones, and last those that are only good between neighbours.
fn ordered(all_of: IpAddr, ways: &[IpAddr], mut listed: Vec<Reached>) -> Vec<Reached> {
    for &way in ways {
        if !listed.iter().any(|found| found.address == way) {
            listed.push(Reached { address: way, interface: "network".to_owned() });
        }
    }
    listed.retain(|found| match found.address {
        IpAddr::V4(address) => !address.is_loopback() && !address.is_unspecified(),
        // Addresses of a link need the name of an interface, which browsers do not take.
        IpAddr::V6(address) => {
            all_of.is_ipv6() && !address.is_loopback() && !address.is_unspecified() && !address.is_unicast_link_local()
        }
    });
    let rank = |address: IpAddr| ways.iter().position(|&way| way == address).unwrap_or(ways.len());
    let of_link = |address: IpAddr| matches!(address, IpAddr::V4(address) if address.is_link_local());
    listed.sort_by_key(|found| (of_link(found.address), rank(found.address), found.address.is_ipv6()));
    listed
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    use super::{Reached, ordered};

    fn addresses(all_of: IpAddr, ways: &[&str], listed: &[&str]) -> Vec<String> {
        let address = |text: &&str| text.parse::<IpAddr>().unwrap();
        let ways: Vec<IpAddr> = ways.iter().map(address).collect();
        let reached = |text| Reached { address: address(text), interface: "x".to_owned() };
        let found = ordered(all_of, &ways, listed.iter().map(reached).collect());
        found.into_iter().map(|found| found.address.to_string()).collect()
    }

    #[test]
    fn the_way_to_the_network_comes_first_and_what_nobody_can_type_is_left_out() {
        let listed = ["127.0.0.1", "169.254.3.4", "172.17.0.1", "192.168.1.23", "::1", "fe80::1", "2001:db8::7"];
        let v4 = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let v6 = IpAddr::V6(Ipv6Addr::UNSPECIFIED);
        assert_eq!(addresses(v4, &["192.168.1.23"], &listed), ["192.168.1.23", "172.17.0.1", "169.254.3.4"]);
        assert_eq!(
            addresses(v6, &["192.168.1.23"], &listed),
            ["192.168.1.23", "172.17.0.1", "2001:db8::7", "169.254.3.4"]
        );
        assert_eq!(addresses(v4, &[], &["127.0.0.1"]), [""; 0]);
    }

    #[test]
    fn the_way_is_known_without_a_list() {
        let v4 = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        assert_eq!(addresses(v4, &["10.0.0.5"], &[]), ["10.0.0.5"]);
    }
}
