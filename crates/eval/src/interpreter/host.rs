//! What hosts ask beside running programs: templates, and the text of values.

use std::rc::Rc;
use std::sync::Arc;

use marotte_hir::ExprId;
use marotte_pcore::value::{Hash, Value};

use super::{Env, Interpreter, Template, Unwind};
use crate::{Code, EvaluationError, Origin, TemplateFile};
use marotte_pcore::format::interpolated;

impl Interpreter<'_> {
    /// Renders a template in the top scope: a string, or a sensitive one (C40).
    ///
    /// # Errors
    /// What the language says is wrong with the template, or with what is given for its parameters.
    pub fn render_file(
        &mut self,
        template: &TemplateFile,
        given: Option<&Hash>,
    ) -> Result<Value, EvaluationError> {
        let code = Code { body: Arc::default(), origin: Arc::new(Origin::Internal) };
        let top = Rc::clone(&self.top);
        let env = Env { code: &code, frame: None, scope: &top, own_frames: 0 };
        let template = Template::new(&template.lowered, &template.path, &template.text);
        let rendered = self.render_template(&env, ExprId::FIRST, &template, given, false);
        rendered.map_err(Unwind::into_error)
    }

    /// The text of a value, as interpolation has it.
    pub fn text(&self, value: &Value) -> String {
        interpolated(self.dialect(), value)
    }
}
