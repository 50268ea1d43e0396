//! Resources that are parts of others, which they name by an attribute: the fragments of a `concat`.

use marotte_hir::ExprId;
use marotte_hir::body::{AttributeName, Body, Expr};
use marotte_infer::literal::type_name;
use marotte_syntax::ast::ResourceForm;

/// The types of fragments, the attribute that names the whole, and the types of the whole.
const FRAGMENTS: [(&str, &str, &[&str]); 2] = [
    ("concat::fragment", "target", &["concat", "concat_file"]),
    ("concat_fragment", "target", &["concat", "concat_file"]),
];

/// The fragments that a body declares: the types of the whole, the type of the fragment, and the name of the whole.
pub(crate) fn fragments(body: &Body) -> Vec<(&'static [&'static str], &'static str, ExprId)> {
    let mut found = Vec::new();
    for (_, expr) in body.exprs() {
        let Expr::Resource(it) = expr else { continue };
        let Some(name) = type_name(body, it).filter(|_| it.form == ResourceForm::Regular) else { continue };
        let Some((fragment, attribute, wholes)) = FRAGMENTS.iter().find(|it| it.0 == name) else { continue };
        for resource in &it.bodies {
            // A `concat` also has the fragments with its tag.
            let may_be_tagged = resource.attributes.iter().any(|it| match &it.name {
                AttributeName::Unfold => true,
                AttributeName::Name(name) => name == "tag",
            });
            if may_be_tagged {
                continue;
            }
            let targets = resource
                .attributes
                .iter()
                .filter(|it| matches!(&it.name, AttributeName::Name(name) if name.as_str() == *attribute));
            found.extend(targets.map(|it| (*wholes, *fragment, it.value)));
        }
    }
    found
}
