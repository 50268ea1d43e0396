//! `create_resources(…)` (E8).

use marotte_diagnostics::rules;
use std::rc::Rc;
use std::sync::Arc;

use marotte_catalog::Named;
use marotte_hir::ExprId;
use marotte_pcore::value::{Hash, Value};
use marotte_syntax::ast::ResourceForm;
use marotte_text::Str;

use super::instance::Parameter;
use super::provenance::TraceKind;
use super::resource::Given;
use crate::EvaluationError;
use crate::interpreter::{Env, Evaluated, Interpreter};

impl Interpreter<'_> {
    /// Declares a resource for each entry of a hash from titles to parameters.
    pub(crate) fn create_resources(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        type_text: &str,
        instances: &Hash,
        defaults: &Hash,
    ) -> Evaluated<()> {
        let (form, type_name) = match type_text.strip_prefix("@@") {
            Some(name) => (ResourceForm::Exported, name),
            None => match type_text.strip_prefix('@') {
                Some(name) => (ResourceForm::Virtual, name),
                None => (ResourceForm::Regular, type_text),
            },
        };
        let type_name = type_name.to_lowercase();
        if type_name == "class" && form != ResourceForm::Regular {
            let message = "Classes are not virtualizable".to_owned();
            return Err(self.fail(env, id, rules::CLASS_NOT_VIRTUALIZABLE, message));
        }
        let source = self.source(env)?;
        let reads = self.argument_reads();
        for (title, given) in instances.iter() {
            let titles = match title {
                Value::Array(titles) => titles.to_vec(),
                title => vec![title.clone()],
            };
            if titles.contains(&Value::Undef) {
                let message = format!("No title provided and :{type_name} is not a valid resource reference");
                return Err(EvaluationError::runtime(message).into());
            }
            let mut open = None;
            let given = match given {
                Value::Hash(given) => given,
                Value::Unknown(by) => {
                    open = Some(by.computed());
                    &Arc::default()
                }
                other => {
                    let kind = crate::functions::kind(other);
                    let message = format!("no implicit conversion of {kind} into Hash");
                    return Err(EvaluationError::runtime(message).into());
                }
            };
            self.note_open(env, id, open.as_ref());
            let mut parameters: Named<Parameter> = Named::default();
            for (name, value) in defaults.iter().chain(given.iter()) {
                let value = self.converted(value.clone())?;
                let kind = TraceKind::Function("create_resources");
                let trace = self.trace(env, kind, &env.place(id), &value, &reads);
                let source = Rc::clone(&source);
                let parameter = Parameter { value, source, place: None, append: false, trace };
                parameters.insert(text(name), parameter);
            }
            let place = Some(env.place(id));
            let given = Given { parameters, open };
            self.declare_resources(env, &type_name, &titles, given, place, form)?;
        }
        Ok(())
    }
}

fn text(value: &Value) -> Str {
    match value {
        Value::String(text) => text.clone(),
        other => marotte_pcore::print::literal(other).into(),
    }
}
