use marotte_cache::SCHEMA;
use sha2::{Digest as _, Sha256};

use crate::args::{CompilationArgs, EvaluationArgs};
use crate::compilation::Compilation;
use crate::terminal::When;

/// The option because of which results depend on more than what evaluations ask for.
pub(super) fn outside(args: &CompilationArgs) -> Option<&'static str> {
    let evaluation = &args.evaluation;
    let sources = [
        (args.puppetdb.puppetdb.is_some(), "--puppetdb"),
        (args.enc.is_some(), "--enc"),
        (!evaluation.set.is_empty(), "--set"),
        (evaluation.record.is_some(), "--record"),
        (evaluation.replay.is_some(), "--replay"),
        (evaluation.allow.iter().any(|it| !matches!(it, marotte_host::Permission::Read(_))), "--allow"),
    ];
    sources.into_iter().find(|(is_given, _)| *is_given).map(|(_, flag)| flag)
}

/// The scope of results: the program, where the code is, and all options that they may depend on, other than by what evaluations
/// ask for. An option that nobody has thought of here counts.
pub(super) fn scope(args: &CompilationArgs, tree: &Compilation<'_>) -> Vec<u8> {
    let relevant = CompilationArgs {
        // Where the code is follows separately. Descriptions of nodes are asked for.
        environment_dir: None,
        facts_dir: None,
        fact: Vec::new(),
        enc_output: None,
        trusted: None,
        server_facts: None,
        threads: None,
        evaluation: EvaluationArgs {
            facts: None,
            environment: None,
            // Whoever reads the time is not kept.
            now: None,
            verbose: false,
            debug: false,
            color: When::Auto,
            ..args.evaluation.clone()
        },
        ..args.clone()
    };
    let program = concat!("marotte ", env!("CARGO_PKG_VERSION"), " ", env!("MAROTTE_SOURCES"));
    let fields =
        [program.to_owned(), SCHEMA.to_owned(), format!("{relevant:?}"), format!("{:?}", tree.root())];
    let mut digest = Sha256::new();
    for field in fields {
        digest.update((field.len() as u64).to_le_bytes());
        digest.update(field);
    }
    digest.finalize().to_vec()
}
