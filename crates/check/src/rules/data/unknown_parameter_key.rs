//! `unknown-parameter-key`: a data key for a parameter that the class doesn't have, and that no lookup reads.

use marotte_diagnostics::rules;
use marotte_resolve::spelling::nearest;
use marotte_text::unrooted;

use crate::context::{defined_at, parameter_at};
use crate::data::DataContext;
use crate::data::class_key::{ClassKey, class_key};
use crate::data::reads::may_be_read;

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let (db, environment) = (context.db, context.environment);
    for entry in context.entries() {
        let ClassKey::NoParameter(item, name) = class_key(context.db, context.file, entry.key) else {
            continue;
        };
        if may_be_read(db, environment, context.layer, entry.key) {
            continue;
        }
        let class = unrooted(item.name(db));
        let parameters = &item.signature(db).parameters;
        let nearest = nearest(name, parameters.iter().map(|it| it.name.as_str()));
        let related = match nearest {
            Some(nearest) => parameter_at(db, item, nearest, format!("did you mean `{nearest}`?")),
            None => Some(defined_at(db, item, "the class is defined here")),
        };
        let message =
            format!("the class `{class}` has no parameter `{name}`, and nothing looks up `{}`", entry.key);
        let finding = context.report(rules::UNKNOWN_PARAMETER_KEY, entry.key_range, message);
        finding.label = Some("nothing reads this".to_owned());
        finding.related.extend(related);
    }
}
