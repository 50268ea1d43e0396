//! EPP templates, which render text while they are evaluated.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use marotte_hir::{ExprId, Lowered};
use marotte_pcore::format::interpolated;
use marotte_pcore::mismatch;
use marotte_pcore::types::{StructElement, Type};
use marotte_pcore::value::{Hash, Sensitive, Unknown, Value};

use super::closure::Closure;
use super::unknown::Leaves;
use super::{Env, Evaluated, Frame, Interpreter, Signature, Unit, UnitSource};
use crate::{Code, EvaluationError, ReadError, TemplateFile, Unwind};

/// The text that a template has rendered so far.
#[derive(Default)]
pub(crate) struct Rendered {
    text: String,
    /// Whether a part of it is sensitive.
    sensitive: bool,
    /// The first unknown value in it, if any.
    unknown: Option<Arc<Unknown>>,
}

/// A template that can be evaluated.
pub(crate) struct Template {
    pub(crate) code: Code,
    declares_parameters: bool,
}

impl Template {
    /// Creates a template from a file or a text.
    pub(crate) fn new(lowered: Arc<Lowered>, source: UnitSource) -> Template {
        let declares_parameters = lowered.declares_parameters;
        Template { code: Unit { lowered, source }.main(), declares_parameters }
    }
}

impl Interpreter<'_> {
    /// Finds a template by name; found templates are cached.
    pub(crate) fn template(&mut self, name: &str) -> Result<Option<Rc<Template>>, ReadError> {
        if let Some(known) = self.loaded.templates.get(name) {
            return Ok(Some(Rc::clone(known)));
        }
        let Some(TemplateFile { lowered, source }) = self.requests.template(name)? else { return Ok(None) };
        let template = Rc::new(Template::new(lowered, source));
        // Templates that are only searched are not loaded.
        if !self.is_quiet {
            self.loaded.templates.insert(name.into(), Rc::clone(&template));
        }
        Ok(Some(template))
    }

    /// Appends literal text to the rendered text.
    pub(super) fn render_text(&mut self, env: &Env<'_>, id: ExprId, text: &str) -> Evaluated {
        if let Some(rendered) = rendered(env) {
            rendered.borrow_mut().text.push_str(text);
            let size = rendered.borrow().text.len();
            self.check_size(env, id, size)?;
        }
        Ok(Value::Undef)
    }

    /// Evaluates `<%= … %>`: appends the value's text to the rendered text.
    pub(super) fn render(&mut self, env: &Env<'_>, block: &[ExprId]) -> Evaluated {
        let value = self.statements(env, block)?;
        if let Some(rendered) = rendered(env) {
            let mut rendered = rendered.borrow_mut();
            let shown = match &value {
                Value::Sensitive(sensitive) => {
                    rendered.sensitive = true;
                    sensitive.unwrap()
                }
                value => value,
            };
            match shown.unknown() {
                Some(by) => rendered.unknown = Some(by),
                None => rendered.text.push_str(&interpolated(self.dialect(), shown)),
            }
            let size = rendered.text.len();
            drop(rendered);
            let id = block.last().copied();
            id.map_or(Ok(()), |id| self.check_size(env, id, size))?;
        }
        Ok(Value::Undef)
    }

    /// Evaluates a template. `locals`: whether the variables around the call can be read in it.
    pub(crate) fn render_template(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        template: &Template,
        given: Option<&Hash>,
        locals: bool,
    ) -> Evaluated {
        let top = Rc::clone(&self.top);
        let Some(closure) = Closure::template(&template.code) else { return Ok(Value::from("")) };
        let global = env.scope.node_or_top().unwrap_or(&top);
        let (scope, outer) = if locals { (env.scope, env.frame) } else { (global, None) };
        let outer_env = Env { code: &template.code, frame: outer, scope, own_frames: 0 };
        let signature = self.same_signature(&outer_env, &closure)?;
        let captures = scope.captures();
        if !locals {
            scope.replace_captures(None);
        }
        let result = self.deeper(
            || outer_env.place(template.code.body.statements.first().copied().unwrap_or(id)),
            |it| it.render_closure(&outer_env, template, &closure, &signature, given),
        );
        scope.replace_captures(captures);
        result
    }

    /// Records that a template may render something unknown here.
    pub(super) fn render_unknown(&mut self, env: &Env<'_>, by: &Arc<Unknown>) {
        if let Some(rendered) = rendered(env) {
            rendered.borrow_mut().unknown.get_or_insert_with(|| by.computed());
        }
    }

    fn render_closure(
        &mut self,
        outer: &Env<'_>,
        template: &Template,
        closure: &Closure<'_>,
        signature: &Signature,
        given: Option<&Hash>,
    ) -> Evaluated {
        let enforce = template.declares_parameters || given.is_none();
        let (arguments, names) = self.template_arguments(outer, given)?;
        // The arguments are variables, too, unless parameters are declared.
        let extra = Frame::with_values(&names, &arguments, outer.frame);
        let mut frame = closure.new_frame(if enforce { outer.frame } else { Some(&extra) });
        frame.rendered = Some(RefCell::default());
        // Frames beyond the body's own are searched by name, so the extra one counts as foreign.
        let inner = Env { code: closure.code, frame: Some(&frame), scope: outer.scope, own_frames: 1 };
        for (name, value) in names.iter().zip(&arguments) {
            // The template can't assign to its arguments.
            if !enforce && let Some(slot) = frame.names.iter().position(|it| it == name) {
                frame.set(slot, value.clone());
            }
        }
        if enforce {
            self.bind_by_name(&inner, closure, signature, given)?;
        }
        if let Err(unwind) = self.statements(&inner, closure.statements) {
            return match unwind {
                Unwind::Next(it) => Ok(it.0),
                // `return()` ends the template, and its value becomes that of the call.
                Unwind::Undecided(it) => {
                    it.beyond(|left| Leaves { iteration: left.iteration, ..Leaves::default() })
                }
                other => Err(other),
            };
        }
        let rendered = frame.rendered.take().map(RefCell::into_inner).unwrap_or_default();
        let text = match rendered.unknown {
            None => Value::String(rendered.text.into()),
            Some(by) => Value::Unknown(by.text()),
        };
        Ok(if rendered.sensitive { Value::Sensitive(Sensitive::new(text)) } else { text })
    }

    /// The arguments of a template: plain names become its variables, names with `::` are set in the enclosing scope.
    fn template_arguments(
        &mut self,
        outer: &Env<'_>,
        given: Option<&Hash>,
    ) -> Evaluated<(Vec<Value>, Vec<marotte_text::Str>)> {
        let (mut values, mut names) = (Vec::new(), Vec::new());
        for (name, value) in given.into_iter().flat_map(Hash::iter) {
            let Value::String(name) = name else { continue };
            match name.strip_prefix("::") {
                Some(global) => {
                    outer.scope.set(global, value.clone());
                }
                None => {
                    names.push(name.clone());
                    values.push(value.clone());
                }
            }
        }
        Ok((values, names))
    }

    /// Binds parameters by name (C40): `undef` counts as missing, even for undeclared parameters.
    fn bind_by_name(
        &mut self,
        inner: &Env<'_>,
        closure: &Closure<'_>,
        signature: &Signature,
        given: Option<&Hash>,
    ) -> Evaluated<()> {
        let Some(frame) = inner.frame else { return Ok(()) };
        let declared = |name: &Value| closure.parameters.iter().any(|it| name.as_str() == Some(&*it.name));
        let given_entries = given.into_iter().flat_map(Hash::iter);
        let kept = given_entries.filter(|(name, value)| **value != Value::Undef || declared(name));
        let mut finals: Hash = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
        for (index, parameter) in closure.parameters.iter().enumerate() {
            let value =
                given.and_then(|it| it.get_str(&parameter.name)).filter(|it| !matches!(it, Value::Undef));
            if let Some(value) = value {
                frame.set(index, value.clone());
            }
        }
        for (index, parameter) in closure.parameters.iter().enumerate() {
            super::refuse_reserved(&parameter.name)?;
            if frame.is_set(index) {
                continue;
            }
            if let Some(default) = parameter.default {
                let value = self.parameter_default(inner, closure, index, default)?;
                finals.insert(Value::String(parameter.name.clone()), value.clone());
                frame.set(index, value);
            } else if given.is_some_and(|it| it.get_str(&parameter.name).is_some()) {
                frame.set(index, Value::Undef);
            }
        }
        let elements = closure.parameters.iter().enumerate().map(|(index, parameter)| StructElement {
            name: parameter.name.clone(),
            optional: parameter.default.is_some(),
            value: signature.parameters.type_at(index).cloned().unwrap_or_else(Type::any),
        });
        let elements: Vec<StructElement> = elements.collect();
        mismatch::validate_parameters(self.dialect(), closure.name, &elements, &finals, false, &|_| None)
            .map_err(|error| EvaluationError::runtime(error.to_string()).into())
    }
}

/// The rendered text to which code at this place appends.
fn rendered<'e>(env: &Env<'e>) -> Option<&'e RefCell<Rendered>> {
    let mut frame = env.frame;
    while let Some(it) = frame {
        if let Some(rendered) = &it.rendered {
            return Some(rendered);
        }
        frame = it.outer;
    }
    None
}
