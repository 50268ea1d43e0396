//! The client, asked to talk to servers that answer well, badly or not at all.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod failures;
mod pages;
mod server;
mod tls;

use std::time::Duration;

use marotte_puppetdb::{Address, Client, Settings};
use server::Server;

/// Settings for an address without certificates.
fn settings(url: &str, timeout: Duration) -> Settings {
    let address = Address::new(url).unwrap();
    Settings { address, authority: None, identity: None, token: None, timeout }
}

/// A client of a server, with a time limit that no test reaches by chance.
fn client(server: &Server) -> Client {
    Client::new(settings(&server.url(), Duration::from_secs(60))).unwrap()
}
