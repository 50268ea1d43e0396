//! `duplicate-key`, in data: a hash contains the same key twice, and Hiera uses only the last one.

use marotte_db::source_text;
use marotte_diagnostics::{Level, Related, rules};

use crate::data::DataContext;

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let file = context.file.id(context.db);
    let text = source_text(context.db, context.file).text();
    for repeated in &context.document.repeated {
        let key = text[repeated.again].trim_matches(['"', '\'']);
        let message = format!("the key `{key}` appears twice in one hash");
        let finding = context.report(rules::DUPLICATE_KEY, repeated.again, message);
        finding.level = Level::Warning;
        finding.label = Some("this value counts".to_owned());
        let message = "this one is lost".to_owned();
        finding.related.push(Related { file, range: repeated.before, message });
    }
}
