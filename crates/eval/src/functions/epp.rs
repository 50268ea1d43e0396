//! `epp`, `inline_epp`: templates in Puppet (C40, E32).

use std::sync::Arc;

use marotte_diagnostics::{FileId, syntax};
use marotte_hir::{lower, mode_in};
use marotte_pcore::mismatch::assert_instance_of;
use marotte_pcore::ops::Strictness;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_syntax::parse;
use marotte_text::LineIndex;

use super::{Body, Builtin, Call, Effects, Names, Overload, Unknowns};
use crate::interpreter::{Evaluated, Template};
use crate::{UnitSource, Unwind};

/// The name of the text of `inline_epp` in messages.
pub(crate) const INLINE: &str = "inlined-epp-text";

/// `epp`.
pub(super) static EPP: Builtin = Builtin {
    name: "epp",
    doc: "The text of a template: `epp('ntp/ntp.conf', { servers => ['a', 'b'] })` renders `templates/ntp.conf.epp` of the \
          module `ntp`.\n\n\
          The extension `.epp` may be omitted; a name may be an absolute path, too. The hash has the values of the template's \
          parameters, by name; parameters with a default may be omitted. A template that declares no parameters accepts any, as \
          variables. It sees the variables of the top scope, but not those of the scope of the call. If a value in it is \
          `Sensitive`, the text is, too.",
    effects: Effects::Reads,
    names: Some(Names::EppTemplate),
    evaluates_code: true,
    unknowns: Unknowns::Parts,
    overloads: &[Overload {
        parameters: "String $path, Hash[Pattern[/^\\w+$/], Any] $parameters = {}",
        block: None,
        // Not declared, because the value of `return()` is not checked.
        returns: None,
        body: Body::Run(epp),
    }],
    ..Builtin::base()
};

fn epp(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let mut name = call.text(0).to_owned();
    let exists = name.starts_with('/') && call.found("templates", &name)?.is_some();
    if !exists && !name.ends_with(".epp") {
        name.push_str(".epp");
    }
    match call.interpreter.template(&name) {
        Ok(Some(template)) => call.rendered(&template, false),
        Ok(None) => call.fail(format!("Could not find template '{name}'")),
        Err(error) => {
            // If it may not be read, what it renders is unknown.
            call.found("templates", &name)?;
            call.fail(format!("epp(): {error}"))
        }
    }
}

/// `inline_epp`.
pub(super) static INLINE_EPP: Builtin = Builtin {
    name: "inline_epp",
    doc: "The text of a template that is passed as a string: `inline_epp('<% | $x | %>x is <%= $x %>', { x => 1 })` is `'x is \
          1'`.\n\n\
          The hash has the values of the template's parameters, by name; parameters with a default may be omitted. A template \
          that declares no parameters accepts any, as variables. It sees the variables of the scope of the call; variables that \
          it sets are local to it. If a value in it is `Sensitive`, the text is, too.",
    effects: Effects::Scope,
    evaluates_code: true,
    unknowns: Unknowns::Parts,
    overloads: &[Overload {
        parameters: "String $template, Hash[Pattern[/^\\w+$/], Any] $parameters = {}",
        block: None,
        // Not declared, because the value of `return()` is not checked.
        returns: None,
        body: Body::Run(inline_epp),
    }],
    ..Builtin::base()
};

fn inline_epp(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let text: Arc<str> = call.text(0).into();
    let parsed = parse(&text, mode_in(call.dialect(), true));
    for error in &parsed.errors {
        let strictness = crate::strictness_of(call.interpreter.settings.strict, &error.kind);
        if strictness == Strictness::Off {
            continue;
        }
        let found = syntax::diagnostic(FileId(0), error, &text);
        if strictness == Strictness::Warning {
            let place = call.place();
            call.interpreter.warn(found.rule, found.message, place);
            continue;
        }
        let at = LineIndex::new(&text).position(error.range.start());
        let place = format!("(file: {INLINE}, line: {}, column: {})", at.line, at.column);
        return call.fail(format!("inline_epp(): Invalid EPP: {} {place}", found.message));
    }
    let template = Template::new(lower(&parsed.program).into(), UnitSource::Text(INLINE.into(), text));
    let hides = call.arguments.len() > 1 && call.dialect().evaluation.given_variables_hide_others;
    call.rendered(&template, !hides)
}

impl Call<'_, '_, '_> {
    /// Renders a template. `locals`: whether it sees the variables around the call.
    fn rendered(&mut self, template: &Template, locals: bool) -> Evaluated {
        let given = match self.arguments.get(1) {
            Some(Value::Hash(given)) => Some(given.clone()),
            _ => None,
        };
        let text =
            match self.interpreter.render_template(self.env, self.at, template, given.as_deref(), locals) {
                // `return` ends the template; its value becomes that of the call, whatever its type.
                Err(Unwind::Return(it)) => return Ok(it.0),
                result => result?,
            };
        let string = Type::string();
        let wanted: Type = TypeKind::Variant([string.clone(), Type::sensitive(&string)].into()).into();
        let subject = format!("value returned from function '{}'", self.name);
        match assert_instance_of(self.dialect(), &subject, &wanted, &text) {
            Ok(()) => Ok(text),
            Err(wrong) => self.fail(wrong.to_string()),
        }
    }
}
