//! Places for connections: how many the server holds, and how many of them are for one address.
//!
//! A connection takes one of [`CONNECTIONS`]. Those of one address take at most [`OF_ONE`], so that others always find a place however many one of
//! them opens. A class whose computers have one address for the outside (NAT) shares these, which is enough for as many browsers that load the
//! page at the same moment. Who finds no place waits for one; up to [`WAITING`] do, and what comes after them is closed. The next place is for
//! the address that has the fewest.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;

/// Most connections that are answered at once.
pub const CONNECTIONS: usize = 256;

/// Most of them for one address.
pub const OF_ONE: usize = 224;

/// Most connections that wait for a place. With the places they stay below the 1024 open files that systems allow a program.
pub const WAITING: usize = 512;

/// Most waiting connections of one address.
const WAITING_OF_ONE: usize = 384;

/// Who counts as one: an address, of IPv6 the network of 64 bits in which a computer chooses addresses as it likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(IpAddr);

impl Client {
    /// The client with this address.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(v6) if !v6.is_loopback() => Self(IpAddr::V6((v6.to_bits() >> 64 << 64).into())),
            other => Self(other),
        }
    }
}

/// The places, and the connections that wait for one.
#[derive(Debug)]
pub struct ConnectionLimit<T> {
    taken: HashMap<Client, usize>,
    waiting: VecDeque<(Client, T)>,
}

impl<T> Default for ConnectionLimit<T> {
    fn default() -> Self {
        Self { taken: HashMap::new(), waiting: VecDeque::new() }
    }
}

impl<T> ConnectionLimit<T> {
    /// Gives a connection a place, and returns it if there is one. Otherwise it waits, or is dropped where too many wait.
    pub fn enter(&mut self, client: Client, connection: T) -> Option<T> {
        if self.has_free_connection(client) {
            *self.taken.entry(client).or_default() += 1;
            return Some(connection);
        }
        let of_one = self.waiting.iter().filter(|(waiting, _)| *waiting == client).count();
        if self.waiting.len() < WAITING && of_one < WAITING_OF_ONE {
            self.waiting.push_back((client, connection));
        }
        None
    }

    /// Takes back the place of a connection that has ended, and gives it to one that waits.
    pub fn leave(&mut self, client: Client) -> Option<(Client, T)> {
        if let Some(taken) = self.taken.get_mut(&client) {
            *taken -= 1;
            if *taken == 0 {
                self.taken.remove(&client);
            }
        }
        let having = |client: &Client| self.taken.get(client).copied().unwrap_or(0);
        let may = self.waiting.iter().enumerate().filter(|(_, (client, _))| self.has_free_connection(*client));
        let (next, _) = may.min_by_key(|(_, (client, _))| having(client))?;
        let (client, connection) = self.waiting.remove(next)?;
        *self.taken.entry(client).or_default() += 1;
        Some((client, connection))
    }

    fn has_free_connection(&self, client: Client) -> bool {
        let all: usize = self.taken.values().sum();
        all < CONNECTIONS && self.taken.get(&client).is_none_or(|taken| *taken < OF_ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::{CONNECTIONS, Client, ConnectionLimit, OF_ONE, WAITING, WAITING_OF_ONE};

    fn client(address: &str) -> Client {
        Client::of(address.parse().unwrap())
    }

    #[test]
    fn a_client_is_an_address_or_a_network_of_ipv6() {
        assert_eq!(client("192.168.1.2"), client("::ffff:192.168.1.2"));
        assert_ne!(client("192.168.1.2"), client("192.168.1.3"));
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:0:0:7"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_ne!(client("::1"), client("::2"));
    }

    #[test]
    fn one_address_leaves_places_for_others() {
        let (greedy, other) = (client("10.0.0.1"), client("10.0.0.2"));
        let mut limit = ConnectionLimit::default();
        let served = (0..2000).filter(|number| limit.enter(greedy, *number).is_some()).count();
        assert_eq!((served, limit.waiting.len()), (OF_ONE, WAITING_OF_ONE));
        let served = (0..CONNECTIONS).filter(|number| limit.enter(other, *number).is_some()).count();
        assert_eq!((served, limit.waiting.len()), (CONNECTIONS - OF_ONE, WAITING));
        // The places that become free go to the address that has fewer, in the order of their coming.
        for number in 0..10 {
            assert_eq!(limit.leave(greedy), Some((other, CONNECTIONS - OF_ONE + number)));
        }
        assert_eq!(limit.taken[&greedy], OF_ONE - 10);
    }

    #[test]
    fn who_waits_gets_the_next_place_in_order() {
        let class = client("10.0.0.1");
        let mut limit = ConnectionLimit::default();
        (0..OF_ONE + 3).for_each(|number| _ = limit.enter(class, number));
        for number in OF_ONE..OF_ONE + 3 {
            assert_eq!(limit.leave(class), Some((class, number)));
        }
        for _ in 0..OF_ONE {
            assert_eq!(limit.leave(class), None);
        }
        assert!(limit.taken.is_empty() && limit.waiting.is_empty());
    }

    /// Any order of coming and going of a few clients, against a count of all of them.
    #[test]
    fn no_order_of_coming_and_going_loses_a_place() {
        let clients = ["10.0.0.1", "10.0.0.2", "2001:db8::1"].map(client);
        let mut limit = ConnectionLimit::default();
        let mut served: Vec<Client> = Vec::new();
        let mut state = 1_u64;
        for turn in 0..20_000_usize {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let chance = usize::try_from(state >> 33).unwrap();
            // More come than go at first, and fewer later.
            if chance % 100 < if turn < 8000 { 70 } else { 40 } {
                let client = clients[chance / 100 % 20 % 3];
                served.extend(limit.enter(client, client));
            } else if !served.is_empty() {
                let gone = served.swap_remove(chance / 100 % served.len());
                served.extend(limit.leave(gone).map(|(client, _)| client));
            }
            let of = |client: Client| served.iter().filter(|other| **other == client).count();
            assert!(served.len() <= CONNECTIONS && limit.waiting.len() <= WAITING);
            for client in clients {
                assert_eq!(of(client), limit.taken.get(&client).copied().unwrap_or(0));
                assert!(of(client) <= OF_ONE);
                let waits = limit.waiting.iter().any(|(waiting, _)| *waiting == client);
                assert!(
                    !waits || served.len() == CONNECTIONS || of(client) == OF_ONE,
                    "nobody waits beside a free place"
                );
            }
        }
    }
}
