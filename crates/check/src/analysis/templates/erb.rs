//! The Ruby code of templates in ERB.

use marotte_db::{Db, File, SourceError, source_text};
use marotte_ruby_eval::program::SyntaxError;
use marotte_ruby_eval::template_names::{TemplateNames, template_names};

/// Parses a template: its names, or its first syntax error.
///
/// The rules about its names and the one about its syntax share the result, because parsing takes longer than both.
#[salsa::tracked(returns(ref))]
pub fn template_code(db: &dyn Db, template: File) -> Result<TemplateNames, SyntaxError> {
    let source = source_text(db, template);
    match source.error() {
        // Bytes of another encoding are in the text or in strings of the code, seldom in names.
        None | Some(SourceError::InvalidUtf8 { .. }) => {
            template_names(template.path(db).as_str(), source.text())
        }
        Some(_) => Ok(TemplateNames::default()),
    }
}
