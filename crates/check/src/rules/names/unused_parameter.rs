//! `unused-parameter`: a function or a defined type doesn't use a parameter.
//!
//! Not for classes, whose parameters can be read as `$class::name`, and not for lambdas, whose parameters are positional.

use std::collections::BTreeSet;

use foldhash::HashMap;
use marotte_db::{Db, File, module_file, source_text};
use marotte_diagnostics::rules;
use marotte_hir::{Item, ItemKind, items, places};
use marotte_text::{Str, normalized};

use crate::analysis::resources::exported::may_be_looked_for;
use crate::analysis::variables::usage::{Slips, Usage, shows_scope};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, body, item) = (context.db, context.body, context.item);
    let kind = item.kind(db);
    // A body without statements is a placeholder, or a resource type that only carries data.
    if !matches!(kind, ItemKind::Function | ItemKind::Define) || body.statements.is_empty() {
        return;
    }
    // Hiera passes a fixed list of arguments to its functions, by position.
    let last = body.parameters.last().map(|it| it.name.trim_start_matches('_'));
    if kind == ItemKind::Function && last == Some("context") {
        return;
    }
    let usage = Usage::new(body);
    let is_unused = |name: &Str| !name.starts_with('_') && !usage.may_read(name);
    let parameters = body.parameters.iter().enumerate();
    let unused: Vec<_> = parameters.filter(|(_, it)| is_unused(&it.name)).collect();
    if unused.is_empty() || shows_scope(context) {
        return;
    }
    let slips = Slips::new(context);
    for (number, parameter) in unused {
        let name = &parameter.name;
        if slips.may_mean(name) || is_looked_for(context, name) || is_kept(context, number) {
            continue;
        }
        let message = format!("the {} does not use its parameter `${name}`", kind.noun());
        let finding = context.report(rules::UNUSED_PARAMETER, At::Expr(parameter.at), message);
        finding.label = Some("not used".to_owned());
    }
}

/// Whether collectors may search for the resources by a parameter: that is a use.
fn is_looked_for(context: &Context<'_, '_>, name: &Str) -> bool {
    let Some(module) = module_file(context.db, context.file) else { return false };
    let type_name = normalized(context.item.name(context.db));
    let module = module.module.clone();
    may_be_looked_for(context.db, context.environment, module, type_name, name.clone())
}

/// Whether a comment states that a parameter is unused on purpose.
fn is_kept(context: &Context<'_, '_>, number: usize) -> bool {
    kept(context.db, context.file).contains(&(context.item, number))
}

/// The parameters of items in a file, by their numbers, of which a comment states that they are unused on purpose: next to a parameter, right above it, or in
/// its documentation. All at once, because a file may have many functions and many comments.
#[salsa::tracked(returns(ref))]
fn kept(db: &dyn Db, file: File) -> BTreeSet<(Item<'_>, usize)> {
    let source = source_text(db, file);
    let said = Said::new(source.text());
    let mut found = BTreeSet::new();
    if said.is_nothing() {
        return found;
    }
    for item in items(db, file) {
        if !matches!(item.kind(db), ItemKind::Function | ItemKind::Define) {
            continue;
        }
        let map = places(db, *item).map;
        for (number, parameter) in item.body(db).parameters.iter().enumerate() {
            let Some(place) = map.place(parameter.at) else { continue };
            let line = source.line_index().line(place.range.start()) as usize;
            if said.of(line, &parameter.name) {
                found.insert((*item, number));
            }
        }
    }
    found
}

/// The lines of a text whose comments state that something is unused on purpose.
struct Said<'t> {
    lines: Vec<&'t str>,
    /// For each line, whether its comment states it.
    at: Vec<bool>,
    /// For each line, whether it or a line right above it states it; all of these contain nothing but comments.
    above: Vec<bool>,
    /// The first line that documents a parameter as unused, by the parameter's name in lower case.
    documented: HashMap<String, usize>,
}

impl<'t> Said<'t> {
    fn new(text: &'t str) -> Said<'t> {
        const WORDS: [&str; 6] = ["unused", "not used", "ignored", "compat", "deprecated", "no effect"];
        const TAG: &str = "@param ";
        let mut said = Said {
            lines: text.lines().collect(),
            at: Vec::new(),
            above: Vec::new(),
            documented: HashMap::default(),
        };
        for (number, line) in said.lines.iter().enumerate() {
            let comment = line.split_once('#').map(|(_, it)| it.to_lowercase());
            let comment = comment.filter(|it| WORDS.iter().any(|word| it.contains(word)));
            let is_alone = line.trim_start().starts_with('#');
            said.above.push(is_alone && (comment.is_some() || said.above.last().is_some_and(|it| *it)));
            said.at.push(comment.is_some());
            let Some(comment) = comment else { continue };
            for (at, _) in comment.match_indices(TAG) {
                if let Some((name, _)) = comment[at + TAG.len()..].split_once(' ') {
                    said.documented.entry(name.to_owned()).or_insert(number);
                }
            }
        }
        said
    }

    fn is_nothing(&self) -> bool {
        !self.at.contains(&true)
    }

    /// Whether it is stated of a parameter on a line.
    fn of(&self, line: usize, name: &str) -> bool {
        let is_at = |lines: &[bool], line: usize| lines.get(line).is_some_and(|it| *it);
        // A comment above the first line concerns the whole definition.
        let is_first = self.lines.get(line).is_some_and(|it| it.contains('('));
        is_at(&self.at, line)
            || !is_first && line.checked_sub(1).is_some_and(|it| is_at(&self.above, it))
            || self.documented.get(&name.to_lowercase()).is_some_and(|it| *it < line)
    }
}

#[cfg(test)]
mod tests {
    use super::Said;

    #[test]
    fn comments_concern_parameters_next_to_them() {
        let text = "# unused\nfunction f($a, # b\n  # ignored\n  # x\n  $c,\n  $d, # no effect\n\n  $e,\n) { }\n\
                    # @param g Deprecated @param h x\n# @param i x\nfunction j(\n  $g) { }\n";
        let said = Said::new(text);
        let lines: Vec<usize> = (0..said.lines.len()).filter(|it| said.of(*it, "x")).collect();
        assert_eq!(lines, [0, 2, 3, 4, 5, 9, 10]);
        assert!(said.of(12, "G") && said.of(12, "h") && !said.of(12, "i") && !said.of(1, "g"));
        assert!(Said::new("function f($a) { } # x\n").is_nothing());
    }
}
