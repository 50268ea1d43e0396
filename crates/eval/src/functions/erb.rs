//! `template`, `inline_template`: templates in ERB, which is Ruby, and is not evaluated here (E32).

use std::sync::OnceLock;

use super::legacy::{Arity, first_text};
use super::{Body, Builtin, Call, Overload, Reach};
use crate::interpreter::Evaluated;

/// `template`.
pub(super) static TEMPLATE: Builtin = Builtin {
    name: "template",
    doc: "The text of ERB templates, one after the other. It is refused: these templates are Ruby programs, and there is no Ruby here.\n\n\
          A name is the module's, a slash and a path below its folder `templates`, or an absolute path. `epp` renders templates that are \
          written in Puppet.",
    reach: Reach::Runs,
    types: "",
    overloads: &[Overload {
        parameters: "Any *$args",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(template),
    }],
    compiled: OnceLock::new(),
};

fn template(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let names = call.legacy_arguments("template", Arity::AtLeast(1))?;
    let name = match first_text(&names) {
        Ok(name) => name,
        Err(found) => return call.fail(format!("template() expects Strings, got {found}")),
    };
    match call.found("templates", name)? {
        None => call.fail(format!("Could not find template '{name}'")),
        Some(path) => call.fail(format!(
            "template(): '{name}' ({path}) is an ERB template, which only Ruby can evaluate; epp() renders templates in Puppet"
        )),
    }
}

/// `inline_template`.
pub(super) static INLINE_TEMPLATE: Builtin = Builtin {
    name: "inline_template",
    doc: "The text of ERB templates that are given as strings. It is refused: these templates are Ruby programs, and there is no Ruby \
          here.\n\n`inline_epp` renders templates that are written in Puppet.",
    reach: Reach::Runs,
    types: "",
    overloads: &[Overload {
        parameters: "Any *$args",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(|call| {
            call.legacy_arguments("inline_template", Arity::AtLeast(1))?;
            call.fail(
                "inline_template(): the text is an ERB template, which only Ruby can evaluate; inline_epp() renders templates in Puppet",
            )
        }),
    }],
    compiled: OnceLock::new(),
};
