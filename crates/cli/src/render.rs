//! The subcommand `render` of `marotte epp` and `marotte erb`.

use std::io::{self, Write as _};
use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::{DiskSystem, System};
use marotte_diagnostics::output::Color;
use marotte_diagnostics::printable;
use marotte_eval::{Interpreter, Settings, TemplateFile};
use marotte_hiera::data::{Permitted, parse_yaml};
use marotte_host::layout::environment_folder;
use marotte_host::{EvaluationContext, Findings, Source, read_program};
use marotte_pcore::infer::{generalize, infer};
use marotte_pcore::value::{Hash, Value};

use crate::Status;
use crate::args::{EvaluationArgs, RenderArgs, ValueFormat};
use crate::evaluation::{self, Logs, define_variables, show, show_with_hint};
use crate::failure::Failure;
use crate::template::{Finder, Template, given};
use crate::terminal::print_exactly;
use crate::text;

/// The language of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Embedded Puppet. Values are arguments for parameters.
    Epp,
    /// Embedded Ruby. Values are variables of the top scope.
    Erb,
}

/// Renders templates to standard output. For a template with errors, its errors are printed, and the next one is
/// rendered.
pub(crate) fn run(args: &RenderArgs, language: Language) -> Result<Status, Failure> {
    evaluation::refuse_recording(&args.evaluation, "render")?;
    let system: Arc<dyn System> = Arc::new(DiskSystem::new()?);
    let facts = evaluation::facts(&args.evaluation, &*system)?;
    let environment = environment_folder(&*system, &system.absolute(Utf8Path::new(".")));
    let disk = Arc::clone(&system);
    let context = evaluation::context(&args.evaluation, disk, environment, Vec::new(), facts)?;
    let settings = evaluation::settings(&args.evaluation);
    let color = args.evaluation.color.on_stderr();
    let mut logs = Logs::new(&args.evaluation, ValueFormat::Text, &context);
    let outside = context.host();
    let mut interpreter = Interpreter::new(settings.clone(), &outside, &mut logs);
    if !define_variables(&args.evaluation, &context, &mut interpreter, color)? {
        return Ok(Status::Findings);
    }
    let finder = Finder { system, context: &context };
    let args_of = &args.evaluation;
    let mut renderer = Renderer { args: args_of, context: &context, settings, interpreter, color, language };
    let Some(values) = renderer.values(args, &finder)? else { return Ok(Status::Findings) };
    if language == Language::Erb {
        for (name, value) in values.iter().flat_map(Hash::iter) {
            renderer.interpreter.define(name.as_str().unwrap_or_default(), value.clone());
        }
    }

    if let Some(template) = given(args.source.as_ref(), &args.templates)? {
        let Some(text) = renderer.render(&template, values.as_ref())? else { return Ok(Status::Findings) };
        print_exactly(&text)?;
        return Ok(Status::Clean);
    }
    let header = args.templates.len() > 1 && !args.no_header;
    let mut status = Status::Clean;
    for (index, name) in args.templates.iter().enumerate() {
        let (found, missing) = finder.templates(std::slice::from_ref(name))?;
        if !missing.is_empty() {
            writeln!(io::stderr(), "error: there is no template `{}`", printable::line(name))?;
            status = status.and(Status::Error);
        }
        for template in &found {
            let Some(text) = renderer.render(template, values.as_ref())? else {
                status = status.and(Status::Findings);
                continue;
            };
            if header {
                print_exactly(&format!("{}--- {name}\n", if index == 0 { "" } else { "\n" }))?;
            }
            print_exactly(&text)?;
        }
    }
    Ok(status)
}

struct Renderer<'s> {
    args: &'s EvaluationArgs,
    context: &'s EvaluationContext,
    settings: Settings,
    interpreter: Interpreter<'s>,
    color: Color,
    language: Language,
}

impl Renderer<'_> {
    /// Renders a template. None if it has errors, which are shown.
    fn render(&mut self, template: &Template, values: Option<&Hash>) -> Result<Option<String>, Failure> {
        let mut findings = Findings::new(self.context);
        if self.language == Language::Erb {
            let rendered = template.text(&mut findings).and_then(|text| {
                let rendered = self.interpreter.render_erb_template(&template.name, text);
                rendered.map_err(|error| findings.template_error(&template.name, text, &error)).ok()
            });
            show_with_hint(self.args, findings.diagnostics(), &findings)?;
            return Ok(rendered.map(|text| self.interpreter.text(&text)));
        }
        let source = template.source();
        let unit = read_program(self.context, &self.settings, &source, &mut findings);
        let rendered = unit.and_then(|unit| {
            let file = TemplateFile { lowered: unit.lowered, source: unit.source };
            self.interpreter.render_file(file, values).map_err(|error| findings.error(&error)).ok()
        });
        show(findings.diagnostics(), &findings, self.color)?;
        Ok(rendered.map(|value| match &value {
            // A user who renders a template by hand wants to see it.
            Value::Sensitive(sensitive) => self.interpreter.text(sensitive.unwrap()),
            value => self.interpreter.text(value),
        }))
    }

    /// The values for templates: the hash of the file, overridden by that of the argument; the inner None if neither is
    /// given. The outer None if there are errors, which are shown.
    fn values(&mut self, args: &RenderArgs, finder: &Finder<'_>) -> Result<Option<Option<Hash>>, Failure> {
        let mut values = None;
        if let Some(path) = &args.values_file {
            let text = text::read(&*finder.system, path)?;
            let value = match path.extension() {
                Some("yaml") => {
                    let document = parse_yaml(&text, Permitted::DATA);
                    let document = document.map_err(|error| {
                        let at = marotte_text::LineIndex::new(&text).position(error.range.start());
                        format!("{error} (file: {path}, line: {}, column: {})", at.line, at.column)
                    })?;
                    Some(document.value)
                }
                Some("pp") => self.evaluate(path.as_str(), &text)?,
                _ => {
                    return Err(Failure::Message(
                        "only .yaml or .pp can be used as `--values_file`".to_owned(),
                    ));
                }
            };
            let Some(value) = value else { return Ok(None) };
            values = self.hash("--values_file", value)?;
        }
        if let Some(text) = &args.values {
            let Some(value) = self.evaluate("<--values>", text)? else { return Ok(None) };
            if let Some(hash) = self.hash("--values", value)? {
                let mut merged: Hash = values.unwrap_or_default();
                for (name, value) in hash.iter() {
                    merged.insert(name.clone(), value.clone());
                }
                values = Some(merged);
            }
        }
        Ok(Some(values))
    }

    fn evaluate(&mut self, name: &str, text: &str) -> Result<Option<Value>, Failure> {
        let mut findings = Findings::new(self.context);
        let source = Source::Text { name, text, template: false };
        let unit = read_program(self.context, &self.settings, &source, &mut findings);
        let value = unit
            .and_then(|unit| self.interpreter.run_unit(&unit).map_err(|error| findings.error(&error)).ok());
        show(findings.diagnostics(), &findings, self.color)?;
        Ok(value)
    }

    fn hash(&self, option: &str, value: Value) -> Result<Option<Hash>, Failure> {
        match value {
            Value::Undef => Ok(None),
            Value::Hash(hash) => Ok(Some((*hash).clone())),
            other => {
                let found = generalize(&infer(self.interpreter.dialect(), &other));
                Err(Failure::Message(format!("`{option}` must evaluate to a Hash or undef, got: '{found}'")))
            }
        }
    }
}
