//! The command line program `marotte`.
//!
//! Architecture boundary: only this crate parses arguments, prints texts and chooses exit statuses. One file per
//! subcommand.

mod affected;
mod allocator;
mod args;
mod bounds;
mod check;
mod compilation;
mod compile;
mod completion;
mod config;
mod epp;
mod erb;
mod eval;
mod evaluation;
mod explain;
mod failure;
mod format;
mod impact;
mod interrupt;
mod lookup;
mod man;
mod migrate;
mod parse;
mod render;
mod repl;
mod result_cache;
mod ruby;
mod rule;
mod server;
mod sources;
mod template;
mod terminal;
mod text;
mod verify;
mod why;

use std::io::Write as _;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ArgMatches, FromArgMatches as _};

use args::{Cli, Command};
use failure::Failure;
use marotte_diagnostics::printable;

/// The stack size. Recursion over syntax is bounded, and the bound fits in it many times, in debug builds too.
const STACK: usize = 64 << 20;

/// The status with which a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// The run has nothing to report.
    Clean,
    /// The run has findings or differences.
    Findings,
    /// Wrong usage, or a bug.
    Error,
    /// Parts of a catalog are unknown.
    Incomplete,
    /// A node no longer has a catalog.
    Broken,
}

impl Status {
    /// Combines the statuses of two parts of a run.
    fn and(self, other: Status) -> Status {
        match (self, other) {
            (Status::Error, _) | (_, Status::Error) => Status::Error,
            (Status::Broken, _) | (_, Status::Broken) => Status::Broken,
            (Status::Findings, _) | (_, Status::Findings) => Status::Findings,
            (Status::Incomplete, _) | (_, Status::Incomplete) => Status::Incomplete,
            (Status::Clean, Status::Clean) => Status::Clean,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Clean => 0,
            Status::Findings => 1,
            Status::Error => 2,
            Status::Incomplete => 3,
            Status::Broken => 4,
        })
    }
}

fn main() -> ExitCode {
    allocator::keep_freed_memory();
    interrupt::let_writes_fail_beyond_the_limit();
    marotte_project::keep_panics_quiet();
    let main = std::thread::Builder::new().name("main".to_owned()).stack_size(STACK).spawn(run);
    let status = match main.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        Ok(Err(panic)) => fail(&Failure::bug(&*panic)),
        Err(error) => fail(&Failure::from(error)),
    };
    status.into()
}

fn run() -> Status {
    let matches = match Cli::with_help().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return usage(&error),
    };
    match dispatch(&matches) {
        Ok(status) => status,
        Err(Failure::Usage(error)) => usage(&error),
        Err(failure) => fail(&failure),
    }
}

fn dispatch(matches: &ArgMatches) -> Result<Status, Failure> {
    let cli = Cli::from_arg_matches(matches)?;
    if cli.raw {
        terminal::write_raw();
    }
    match &cli.command {
        Command::Check(args) => {
            let matches = matches.subcommand().map_or(matches, |(_, matches)| matches);
            check::run(args, matches)
        }
        Command::Format(args) => format::run(args),
        Command::Migrate(args) => migrate::run(args),
        Command::Parse(args) => parse::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Epp(args) => epp::run(args),
        Command::Erb(args) => erb::run(args),
        Command::Ruby(args) => ruby::run(args),
        Command::Compile(args) => compile::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Impact(args) => impact::run(args),
        Command::Affected(args) => affected::run(args),
        Command::Why(args) => why::run(args),
        Command::Repl(args) => repl::run(args),
        Command::Lookup(args) => lookup::run(args),
        Command::Rule(args) => rule::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Server(args) => server::run(args),
        Command::IdeDump(args) => server::dump(args),
        Command::Completion(args) => completion::run(args),
        Command::Man(args) => man::run(args),
    }
}

/// Prints a usage error, help or version; help and version have the status of a success.
fn usage(error: &clap::Error) -> Status {
    // It quotes the arguments.
    let text = error.render().to_string();
    // If the reader has gone away, the message is dropped.
    let _ = match printable::text(&text) {
        safe if safe == text => error.print(),
        safe => writeln!(std::io::stderr(), "{safe}"),
    };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Status::Clean,
        _ => Status::Error,
    }
}

fn fail(failure: &Failure) -> Status {
    if failure.is_broken_pipe() {
        return Status::Clean;
    }
    let text = failure.to_string();
    let _ = writeln!(std::io::stderr(), "error: {}", printable::text(&text));
    Status::Error
}
