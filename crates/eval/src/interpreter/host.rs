//! The interpreter's interface for hosts, other than running programs: templates, and the text of values.

use std::rc::Rc;
use std::sync::Arc;

use marotte_hir::ExprId;
use marotte_pcore::value::{Hash, Value};

use super::{Env, Interpreter, Scope, Template, Unwind};
use crate::{Code, EvaluationError, Origin, TemplateFile};
use marotte_pcore::format::interpolated;
use marotte_pcore::print::writing_in;

impl Interpreter<'_> {
    /// Renders a template in the top scope: a string, or a sensitive one (C40).
    ///
    /// # Errors
    /// If the template fails, or its arguments are invalid.
    pub fn render_file(
        &mut self,
        template: TemplateFile,
        given: Option<&Hash>,
    ) -> Result<Value, EvaluationError> {
        let template = Template::new(template.lowered, template.source);
        let rendered = writing_in(self.dialect(), || {
            self.in_top_scope(|it, env| it.render_template(env, ExprId::FIRST, &template, given, false))
        });
        rendered.map_err(Unwind::into_error)
    }

    /// Runs `body` in the top scope, outside of any expression.
    pub(crate) fn in_top_scope<T>(&mut self, body: impl FnOnce(&mut Self, &Env<'_>) -> T) -> T {
        let top = Rc::clone(&self.top);
        self.in_scope(&top, body)
    }

    /// Runs `body` in a scope, outside of any expression.
    pub(crate) fn in_scope<T>(
        &mut self,
        scope: &Rc<Scope>,
        body: impl FnOnce(&mut Self, &Env<'_>) -> T,
    ) -> T {
        let code = Code { body: Arc::default(), origin: Arc::new(Origin::Internal) };
        body(self, &Env { code: &code, frame: None, scope, own_frames: 0 })
    }

    /// The text of a value as interpolation formats it.
    pub fn text(&self, value: &Value) -> String {
        interpolated(self.dialect(), value)
    }
}
