use camino::Utf8Path;
use marotte_impact::{Ignore, Rule};

use super::trees::Trees;
use crate::args::ImpactArgs;
use crate::compilation::Compilation;
use crate::config;
use crate::failure::Failure;

/// Returns the changes that aren't shown. A flag takes precedence over the configuration, which is the one of the code
/// after.
pub(super) fn ignore(args: &ImpactArgs, trees: &Trees, after: &Compilation<'_>) -> Result<Ignore, Failure> {
    let disk = trees.disk();
    let around = after.root().unwrap_or(Utf8Path::new("."));
    let file = config::load(&*disk, args.config.as_deref(), around)?.impact;
    let rules = if args.ignore.is_empty() { &file.ignore } else { &args.ignore };
    let rules = rules.iter().map(|it| Rule::new(it).map_err(|error| Failure::Message(error.to_string())));
    let tags = if args.ignore_tags.is_empty() { &file.ignore_tags } else { &args.ignore_tags };
    let is_on = |flag: Option<bool>, file: Option<bool>| flag.or(file).unwrap_or_default();
    Ok(Ignore {
        rules: rules.collect::<Result<_, _>>()?,
        // Tags are in lower case.
        tags: tags.iter().map(|it| it.to_lowercase().into()).collect(),
        whitespace: is_on(args.ignore_whitespace, file.ignore_whitespace),
        array_order: is_on(args.ignore_array_order, file.ignore_array_order),
    })
}
