//! Names under which the page is there, against DNS rebinding: a page of somebody else gives its own name the address of this computer, and
//! then reads in a browser here what only this computer should reach. The browser still sends that name, in the header Host.
//!
//! A server that listens at an address of this computer alone answers to such addresses and to `localhost`. One that listens for a network
//! answers to every name: it is open to all who reach it, by the names that they have for it.

use std::net::{IpAddr, Ipv6Addr};

use hyper::Uri;
use hyper::header::{HOST, HeaderMap};
use hyper::http::uri::Authority;

/// The name of this computer for itself (RFC 6761, section 6.3), which no name server answers for.
const LOCALHOST: &str = "localhost";

/// The names under which requests are answered.
#[derive(Clone, Copy, Debug)]
pub enum Hosts {
    /// Those of this computer for itself.
    Local,
    /// Any.
    Any,
}

impl Hosts {
    /// What is said to a request for another name.
    pub const ALLOWED: &str = "This page is for this computer alone, under the names localhost, 127.0.0.1 and [::1]; the request names another \
                               one, or none. With --bind 0.0.0.0 it is open to everyone in the network, under any name.";

    /// The names of a server that listens at this address.
    #[must_use]
    pub fn of(bound: IpAddr) -> Self {
        if bound.to_canonical().is_loopback() { Self::Local } else { Self::Any }
    }

    /// Whether a request for this target, with this head, is answered. Ports are not compared: a tunnel has its own.
    #[must_use]
    pub fn allow(self, target: &Uri, head: &HeaderMap) -> bool {
        if matches!(self, Self::Any) {
            return true;
        }
        let named = |value: &hyper::header::HeaderValue| value.to_str().is_ok_and(is_local);
        let mut stated = head.get_all(HOST).iter();
        let single = stated.next().is_some_and(named) && stated.next().is_none();
        single && target.authority().is_none_or(|authority| is_local(authority.as_str()))
    }
}

/// Whether a name with or without a port is one of this computer for itself.
fn is_local(named: &str) -> bool {
    let Ok(authority) = named.parse::<Authority>() else { return false };
    let host = authority.host();
    let is_address = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(v6) => v6.parse::<Ipv6Addr>().is_ok_and(|address| IpAddr::V6(address).to_canonical().is_loopback()),
        None => host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
    };
    let name = host.strip_suffix('.').unwrap_or(host);
    !named.contains('@') && (is_address || name.eq_ignore_ascii_case(LOCALHOST))
}

#[cfg(test)]
mod tests {
    use hyper::header::{HOST, HeaderMap, HeaderValue};

    use super::Hosts;

    fn allowed(bound: &str, target: &str, hosts: &[&str]) -> bool {
        let mut head = HeaderMap::new();
        for host in hosts {
            head.append(HOST, HeaderValue::from_str(host).unwrap());
        }
        Hosts::of(bound.parse().unwrap()).allow(&target.parse().unwrap(), &head)
    }

    #[test]
    fn a_page_for_this_computer_alone_has_its_names_alone() {
        const OWN: &str = "localhost localhost:8000 LocalHost localhost. 127.0.0.1 127.0.0.1:8000 127.8.9.1:1 [::1] [::1]:8000 [::ffff:127.0.0.1]";
        const OTHER: &str = "evil.example evil.example:8000 localhost.evil.example evil-localhost 127.0.0.1.evil.example 192.168.1.2 0.0.0.0 \
                             0.0.0.0:8000 [::] [2001:db8::1] localhost@evil.example evil.example@localhost localhost:80:80 127.1 2130706433 \
                             0x7f000001 [::1 ::1 room";
        for host in OWN.split_whitespace() {
            assert!(allowed("127.0.0.1", "/", &[host]) && allowed("::1", "/page.js", &[host]), "{host}");
        }
        for host in OTHER.split_whitespace().chain(["", "localhost, evil.example"]) {
            assert!(!allowed("127.0.0.1", "/", &[host]), "{host}");
        }
        assert!(!allowed("127.0.0.1", "/", &[]));
        assert!(!allowed("127.0.0.1", "/", &["localhost", "localhost"]));
        assert!(!allowed("127.0.0.1", "http://evil.example/", &["localhost"]));
        assert!(allowed("127.0.0.1", "http://localhost:8000/", &["localhost:8000"]));
    }

    #[test]
    fn a_page_for_a_network_has_any_name() {
        for bound in ["0.0.0.0", "::", "192.168.1.2", "2001:db8::1"] {
            assert!(allowed(bound, "/", &["lab.example:8000"]) && allowed(bound, "/", &[]), "{bound}");
        }
    }
}
