//! `marotte server`, and `marotte ide-dump`.

mod configuration;
mod dump;

use std::io::{self, Write as _};
use std::sync::Arc;

use marotte_db::DiskSystem;
use marotte_lsp::{Connection, Exit, Options, serve};

use crate::Status;
use crate::args::ServerArgs;
use crate::failure::Failure;
use configuration::Files;
pub(crate) use dump::run as dump;

/// Serves an editor until it ends the session.
pub(crate) fn run(args: &ServerArgs) -> Result<Status, Failure> {
    let connection = match args.tcp {
        None => Connection::stdio(),
        Some(port) => Connection::tcp(port, |port| {
            // A failure to print is ignored.
            let _ = writeln!(io::stderr(), "Waiting for an editor at 127.0.0.1:{port}");
        })?,
    };
    Ok(match serve(connection, options()?) {
        Exit::Asked => Status::Clean,
        Exit::Early => Status::Findings,
    })
}

fn options() -> Result<Options, Failure> {
    Ok(Options {
        system: Arc::new(DiskSystem::new()?),
        configuration: Arc::new(Files),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}
