//! `template`, `inline_template`: templates in ERB (E32).

use marotte_pcore::print::literal;
use marotte_pcore::value::Value;
use marotte_text::Str;

use super::legacy::{Arity, kind};
use super::{Body, Builtin, Call, Effects, Names, Overload, ResultType};
use crate::Extension;
use crate::interpreter::Evaluated;

/// `template`.
pub(super) static TEMPLATE: Builtin = Builtin {
    name: "template",
    doc: "The text of ERB templates, one after the other. If a template uses Ruby that is not implemented, the text is \
          unknown in a catalog; elsewhere that is an error.\n\n\
          A name is the name of the module, a slash and a path below its folder `templates`, or an absolute path. `epp` renders \
          templates that are written in Puppet.",
    effects: Effects::Runs,
    names: Some(Names::ErbTemplates),
    evaluates_code: true,
    result: ResultType::Is("String"),
    overloads: &[Overload {
        parameters: "Any *$args",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(template),
    }],
    ..Builtin::base()
};

fn template(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let names = call.legacy_arguments("template", Arity::AtLeast(1))?;
    let mut texts = Vec::new();
    for name in &names {
        let Value::String(name) = name else {
            return call.fail(format!("template() expects Strings, got {}", kind(name)));
        };
        let path = match call.interpreter.template_paths.get(name) {
            Some(known) => known.clone(),
            None => {
                let Some(path) = call.found("templates", name)? else {
                    return call.fail(format!("Could not find template '{name}'"));
                };
                call.interpreter.template_paths.insert(name.clone(), path.clone());
                path
            }
        };
        texts.push(call.render_erb(Extension::Template { name, path: &path, has_begun: false })?);
    }
    joined(call, &texts)
}

/// Renders templates and concatenates the results.
fn joined(call: &Call<'_, '_, '_>, texts: &[Value]) -> Evaluated {
    let mut all = Str::new();
    for text in texts {
        if let Some(by) = text.unknown() {
            return Ok(Value::Unknown(by.text()));
        }
        all.push_str(&call.plain_text(text)?);
    }
    Ok(Value::String(all))
}

/// `inline_template`.
pub(super) static INLINE_TEMPLATE: Builtin = Builtin {
    name: "inline_template",
    doc: "The text of ERB templates that are passed as strings. If a template uses Ruby that is not implemented, the text is \
          unknown in a catalog; elsewhere that is an error.\n\n\
          `inline_epp` renders templates that are written in Puppet.",
    effects: Effects::Runs,
    evaluates_code: true,
    result: ResultType::Is("String"),
    overloads: &[Overload {
        parameters: "Any *$args",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(|call| {
            let templates = call.legacy_arguments("inline_template", Arity::AtLeast(1))?;
            let mut texts = Vec::new();
            for template in &templates {
                let Value::String(text) = template else {
                    let (shown, class) = (literal(template), kind(template));
                    return call.fail(format!(
                        "Failed to parse inline template: undefined method `encoding' for {shown}:{class}"
                    ));
                };
                texts.push(call.render_erb(Extension::InlineTemplate {
                    name: None,
                    text,
                    has_begun: false,
                })?);
            }
            joined(call, &texts)
        }),
    }],
    ..Builtin::base()
};
