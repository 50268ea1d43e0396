//! `marotte repl`: reads, evaluates, prints, and reads again.

mod complete;
mod history;
mod input;
mod line;

use std::cell::RefCell;
use std::io::{self, Write as _};
use std::rc::Rc;
use std::sync::Arc;

use marotte_catalog::Reference;
use marotte_db::DiskSystem;
use marotte_diagnostics::output::Color;
use marotte_diagnostics::printable;
use marotte_eval::{Interpreter, Settings, Unit};
use marotte_hir::DefinitionKind;
use marotte_host::{EvaluationContext, Findings, Source, read_program, rendered_gaps};
use marotte_pcore::infer::infer;
use marotte_pcore::print::{literal_in, short_in};
use marotte_pcore::value::Value;

use crate::Status;
use crate::args::{ReplArgs, ValueFormat};
use crate::evaluation::{self, Logs, define_variables, show};
use crate::failure::Failure;
use crate::terminal::styled;
use complete::Names;
use input::Input;
use line::Line;

const HELP: &str = "\
Type Puppet code: its value is printed, and the resources that it declares, each after a `+`. Lines are read until all
brackets are closed; an empty line ends them, too. What is defined, assigned and declared stays until the end. Input
with an error changes nothing: correct it, and enter all of it again.

  :type EXPR   print the type of what an expression gives
  :catalog     list the resources that were declared
  :help        print this
  :quit        end; so do `exit` and Ctrl-D

";

/// Runs until the user ends it.
pub(crate) fn run(args: &ReplArgs) -> Result<Status, Failure> {
    evaluation::refuse_recording(&args.evaluation, "repl")?;
    let system = Arc::new(DiskSystem::new()?);
    let facts = evaluation::facts_of(&args.evaluation, args.node.as_deref(), &*system)?;
    let (folder, name) = (args.environment_dir.as_deref(), args.evaluation.environment.as_deref());
    let environment = evaluation::environment_for(&*system, folder, name)?;
    let context = evaluation::context(&args.evaluation, system, environment, Vec::new(), facts)?;
    let settings = evaluation::settings(&args.evaluation);
    let color = args.evaluation.color.on_stderr();
    let mut logs = Logs::new(&args.evaluation, ValueFormat::Text, &context);
    let outside = context.host();
    let mut interpreter = Interpreter::new(settings.clone(), &outside, &mut logs);
    if !define_variables(&args.evaluation, &context, &mut interpreter, color)? {
        return Ok(Status::Findings);
    }
    if let Err(error) = interpreter.begin_catalog() {
        return Err(Failure::Message(error.to_string()));
    }
    let names = Rc::new(RefCell::new(Names::new(&context)));
    let mut session = Session {
        context: &context,
        settings,
        interpreter,
        names: Rc::clone(&names),
        color,
        value_color: args.evaluation.color.on_stdout(),
        count: 0,
        has_failed: false,
        catalog: Vec::new(),
    };
    let mut input = Input::new(names, !args.no_history)?;
    while let Some(text) = input.read()? {
        match Line::parse(&text) {
            Line::Nothing => {}
            Line::Quit => break,
            Line::Help => io::stdout().lock().write_all(HELP.as_bytes())?,
            Line::Unknown(word) => {
                let word = printable::line(word);
                writeln!(io::stderr(), "there is no command `{word}`; `:help` lists them")?;
                session.has_failed = true;
            }
            Line::Type(text) => session.print_type(text)?,
            Line::Catalog => session.print_catalog()?,
            Line::Code(text) => session.print_value(text)?,
        }
    }
    // Whoever types has seen the errors, and has corrected them.
    Ok(if session.has_failed && !input.is_terminal() { Status::Findings } else { Status::Clean })
}

struct Session<'s> {
    context: &'s EvaluationContext,
    settings: Settings,
    interpreter: Interpreter<'s>,
    names: Rc<RefCell<Names>>,
    color: Color,
    value_color: Color,
    count: usize,
    /// Whether any input was rejected.
    has_failed: bool,
    /// The resources that were declared, in order.
    catalog: Vec<Reference>,
}

impl Session<'_> {
    fn print_value(&mut self, text: &str) -> Result<(), Failure> {
        let (value, declared) = self.evaluate(text)?;
        match value {
            // Most statements have no value to show.
            None | Some(Value::Undef) => {}
            Some(value) => self.print(&literal_in(self.interpreter.dialect(), &value))?,
        }
        for it in declared {
            self.print(&format!("+ {it}"))?;
        }
        Ok(())
    }

    fn print_type(&mut self, text: &str) -> Result<(), Failure> {
        match self.evaluate(text)?.0 {
            None => Ok(()),
            Some(value) => {
                let dialect = self.interpreter.dialect();
                self.print(&short_in(dialect, &infer(dialect, &value)))
            }
        }
    }

    fn print(&self, text: &str) -> Result<(), Failure> {
        let text = styled(self.value_color, "36", &printable::text(text));
        Ok(writeln!(io::stdout().lock(), "{text}")?)
    }

    /// Evaluates an input. Returns its value and the resources that it declared. No value if it has errors, which are
    /// shown.
    fn evaluate(&mut self, text: &str) -> Result<(Option<Value>, Vec<Reference>), Failure> {
        self.count += 1;
        let name = format!("<input {}>", self.count);
        let source = Source::Text { name: &name, text, template: false };
        let mut findings = Findings::new(self.context);
        let unit = read_program(self.context, &self.settings, &source, &mut findings);
        let (mut declared, mut unknown) = (Vec::new(), Vec::new());
        let value = unit.and_then(|unit| {
            self.interpreter.renew_budget();
            let addition = self.interpreter.run_in_catalog(&unit);
            addition.errors.iter().for_each(|it| findings.error(it));
            declared = addition.resources;
            unknown = rendered_gaps(&addition.gaps, &mut findings);
            if addition.value.is_some() {
                self.learn(&unit);
            }
            addition.value
        });
        findings.loaded();
        show(findings.diagnostics(), &findings, self.color)?;
        for gap in unknown {
            let reason = gap.reason.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
            let line = format!("warning: not everything is known, because of {}{reason}", gap.cause);
            writeln!(io::stderr().lock(), "{}", printable::line(&line))?;
        }
        self.has_failed |= value.is_none();
        self.names.borrow_mut().set_variables(self.interpreter.variables());
        self.catalog.extend(declared.iter().cloned());
        Ok((value, declared))
    }

    fn print_catalog(&self) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        for it in &self.catalog {
            writeln!(out, "{}", printable::line(&it.to_string()))?;
        }
        Ok(())
    }

    /// Adds the names that a text defines to completion.
    fn learn(&self, unit: &Unit) {
        let mut names = self.names.borrow_mut();
        for it in &unit.lowered.definitions {
            match it.kind {
                DefinitionKind::Function => names.add_function(&it.name),
                DefinitionKind::TypeAlias => names.add_type(&it.name),
                _ => {}
            }
        }
    }
}
