//! `unknown-parameter-key`: a data key for a parameter that the class doesn't have, and that no lookup reads.

use marotte_diagnostics::rules;
use marotte_resolve::spelling::{nearest, slip};
use marotte_text::unrooted;

use crate::context::{defined_at, parameter_at};
use crate::data::DataContext;
use crate::data::class_key::{ClassKey, class_key};
use crate::data::reads::{is_read_by_name, may_be_read};

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let (db, environment) = (context.db, context.environment);
    for entry in context.entries() {
        let ClassKey::NoParameter(item, name) = class_key(context.db, context.file, entry.key) else {
            continue;
        };
        let class = unrooted(item.name(db));
        let parameters = &item.signature(db).parameters;
        let names = || parameters.iter().map(|it| it.name.as_str());
        // Where any key may be looked up, only misspelled parameters are reported.
        let may_be_read = may_be_read(db, environment, context.layer, entry.key);
        let nearest = match may_be_read {
            false => nearest(name, names()),
            true if is_read_by_name(db, environment, entry.key) => continue,
            true => match slip(name, names()) {
                Some(meant) => Some(meant),
                None => continue,
            },
        };
        let related = match nearest {
            Some(nearest) => parameter_at(db, item, nearest, format!("did you mean `{nearest}`?")),
            None => Some(defined_at(db, item, "the class is defined here")),
        };
        let by_name = if may_be_read { " by this name" } else { "" };
        let message = format!(
            "the class `{class}` has no parameter `{name}`, and nothing looks up `{}`{by_name}",
            entry.key
        );
        let finding = context.report(rules::UNKNOWN_PARAMETER_KEY, entry.key_range, message);
        finding.label = Some(format!("nothing reads this{by_name}"));
        finding.related.extend(related);
    }
}
