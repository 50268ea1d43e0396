use std::io::{self, Write as _};

use camino::Utf8Path;
use marotte_db::System;
use marotte_diagnostics::printable;
use marotte_impact::{Ignore, Report, Rule, tag_reason};

use crate::args::ImpactArgs;
use crate::compilation::Compilation;
use crate::config;
use crate::failure::Failure;

/// Returns the changes that aren't shown. A flag takes precedence over the configuration, which is the one of the code
/// after.
pub(super) fn ignore(
    args: &ImpactArgs,
    disk: &dyn System,
    after: &Compilation<'_>,
) -> Result<Ignore, Failure> {
    let around = after.root().unwrap_or(Utf8Path::new("."));
    let file = config::load(disk, args.config.as_deref(), around)?.impact;
    let of_file = |it: Option<Vec<String>>| it.unwrap_or_default();
    let rules = if args.ignore.is_empty() { &of_file(file.ignore) } else { &args.ignore };
    let rules = rules.iter().map(|it| Rule::new(it).map_err(|error| Failure::Message(error.to_string())));
    let tags = if args.ignore_tags.is_empty() { &of_file(file.ignore_tags) } else { &args.ignore_tags };
    let is_on = |flag: Option<bool>, file: Option<bool>| flag.or(file).unwrap_or_default();
    Ok(Ignore {
        rules: rules.collect::<Result<_, _>>()?,
        // Tags are in lower case.
        tags: tags.iter().map(|it| it.to_lowercase().into()).collect(),
        whitespace: is_on(args.ignore_whitespace, file.ignore_whitespace),
        array_order: is_on(args.ignore_array_order, file.ignore_array_order),
    })
}

/// Returns the flags with rules, each with the reason that reports give if it matches.
pub(super) fn flags(args: &ImpactArgs) -> Vec<(String, String)> {
    let rules = args.ignore.iter().map(|it| (format!("--ignore {it}"), it.clone()));
    let tags = args.ignore_tags.iter();
    let tags = tags.map(|it| (format!("--ignore-tags {it}"), tag_reason(&it.to_lowercase())));
    rules.chain(tags).collect()
}

/// Warns of flags that match no change, because the user may have misspelled them. Rules of the configuration are not reported:
/// they apply to all changes, and usually match none.
pub(super) fn tell_unused(flags: &[(String, String)], report: &Report) -> io::Result<()> {
    let is_used = |reason: &str| report.ignored.iter().any(|it| it.reason == *reason);
    for (flag, _) in flags.iter().filter(|(_, reason)| !is_used(reason)) {
        let text = format!("warning: `{flag}` matches no change");
        writeln!(io::stderr().lock(), "{}", printable::line(&text))?;
    }
    Ok(())
}
