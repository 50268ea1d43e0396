//! Tools of the repository: corpora, the oracle, benchmarks, generated documentation, repository lints.
//!
//! Run as `cargo xtask COMMAND`. Nothing here is part of what users install, and nothing that users install depends on it.

mod bench;
mod book;
mod confinement;
mod console;
mod corpus;
mod dist;
mod documents;
mod faults;
mod files;
mod headlines;
mod lint_parity;
mod oracle;
mod process;
mod puppetdb;
mod random;
mod rules;
mod soak;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

// The same allocator as in the measured program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// An error, in words for the person at the terminal.
type Error = Box<dyn std::error::Error>;

/// The result of every command and of its parts.
type Result<T> = std::result::Result<T, Error>;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tools of the repository")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Trace the files that marotte opens, the programs that it runs and the texts that it shows for code trees that refer to
    /// places outside of them.
    Confinement(confinement::Arguments),
    Corpus(corpus::Arguments),
    Oracle(oracle::Arguments),
    Bench(bench::Arguments),
    Book(book::Arguments),
    #[command(hide = true)]
    ParsePasses(bench::passes::Arguments),
    #[command(hide = true)]
    EditPasses(bench::edit::Arguments),
    #[command(hide = true)]
    MonorepoPasses(bench::monorepo_edits::Arguments),
    #[command(hide = true)]
    EvalPasses(bench::eval::Arguments),
    #[command(hide = true)]
    RubyPasses(bench::ruby::Arguments),
    #[command(hide = true)]
    CatalogPasses(bench::catalog::Arguments),
    #[command(hide = true)]
    ImpactPasses(bench::impact::PassArguments),
    /// Time the cases of `bench types`, read from standard input.
    #[command(hide = true)]
    TypePasses,
    Dist(dist::Arguments),
    Documents(documents::Arguments),
    /// Simulates failures of writing and reading, and checks the files afterwards.
    Faults(faults::Arguments),
    LintParity(lint_parity::Arguments),
    Headlines(headlines::Arguments),
    Puppetdb(puppetdb::Arguments),
    Rules(rules::Arguments),
    Soak(soak::Arguments),
    Tidy(tidy::Arguments),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Confinement(arguments) => confinement::run(&arguments),
        Command::Corpus(arguments) => corpus::run(&arguments),
        Command::Oracle(arguments) => oracle::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Book(arguments) => book::run(&arguments),
        Command::ParsePasses(arguments) => bench::passes::run(&arguments),
        Command::EditPasses(arguments) => bench::edit::run(&arguments),
        Command::MonorepoPasses(arguments) => bench::monorepo_edits::run(&arguments),
        Command::EvalPasses(arguments) => bench::eval::run(&arguments),
        Command::RubyPasses(arguments) => bench::ruby::run(&arguments),
        Command::CatalogPasses(arguments) => bench::catalog::run(&arguments),
        Command::ImpactPasses(arguments) => bench::impact::run(&arguments),
        Command::TypePasses => bench::types::passes(),
        Command::Dist(arguments) => dist::run(&arguments),
        Command::Documents(arguments) => documents::run(&arguments),
        Command::Faults(arguments) => faults::run(&arguments),
        Command::LintParity(arguments) => lint_parity::run(&arguments),
        Command::Headlines(arguments) => headlines::run(&arguments),
        Command::Puppetdb(arguments) => puppetdb::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Soak(arguments) => soak::run(&arguments),
        Command::Tidy(arguments) => tidy::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            console::complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}
