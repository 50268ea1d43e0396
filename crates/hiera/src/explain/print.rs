//! The steps of a lookup as printed by `puppet lookup --explain`.

use std::fmt::Write as _;

use marotte_pcore::value::Value;

use super::{Event, Step, StepKind};

impl Step {
    /// Returns the text of all steps. `inspect` formats values other than collections.
    pub fn text(&self, inspect: &dyn Fn(&Value) -> String) -> String {
        let mut printer = Printer { out: String::new(), inspect };
        printer.step(self, "", "");
        printer.out
    }
}

struct Printer<'a> {
    out: String,
    inspect: &'a dyn Fn(&Value) -> String,
}

impl Printer<'_> {
    fn line(&mut self, indent: &str, text: std::fmt::Arguments<'_>) {
        // Writing to a string doesn't fail.
        let _ = writeln!(self.out, "{indent}{text}");
    }

    fn step(&mut self, step: &Step, indent: &str, first: &str) {
        let key = step.key.as_deref().unwrap_or_default();
        let inner = format!("{indent}  ");
        match &step.kind {
            StepKind::Root => {
                step.branches.iter().for_each(|it| self.step(it, indent, first));
                self.texts(step, indent);
            }
            StepKind::Meta | StepKind::Data => {
                self.line(first, format_args!("Searching for \"{key}\""));
                self.branches(step, &inner);
            }
            StepKind::InvalidKey => self.line(first, format_args!("Invalid key \"{key}\"")),
            StepKind::MergeSource(source) => {
                self.line(first, format_args!("Using merge options from \"{source}\" hash"));
            }
            StepKind::Module(name) => match step.event {
                Some(Event::ModuleNotFound) => {
                    self.line(indent, format_args!("Module \"{name}\" not found"));
                }
                Some(Event::ModuleProviderNotFound) => {
                    self.line(indent, format_args!("Module data provider for module \"{name}\" not found"));
                }
                _ => {}
            },
            StepKind::Interpolate(text) => {
                self.line(first, format_args!("Interpolation on \"{text}\""));
                self.branches(step, &inner);
            }
            StepKind::Merge(strategy) => match &step.branches[..] {
                [] => {}
                [only] => self.step(only, indent, first),
                branches => {
                    self.line(first, format_args!("Merge strategy {}", strategy.kind.name()));
                    if let Some(options) = strategy.shown_options() {
                        self.out.push_str(&format!("{inner}Options: "));
                        self.value(&Value::Hash(options.into()), &inner);
                        self.out.push('\n');
                    }
                    branches.iter().for_each(|it| self.step(it, &inner, &inner));
                    if step.event == Some(Event::Result) {
                        self.out.push_str(&format!("{inner}Merged result: "));
                        self.value(step.value.as_ref().unwrap_or(&Value::Undef), &inner);
                        self.out.push('\n');
                    }
                }
            },
            StepKind::Provider { name, config, .. } => {
                self.line(first, format_args!("{name}"));
                if let Some(config) = config {
                    self.line(&inner, format_args!("Using configuration \"{config}\""));
                }
                self.branches(step, &inner);
                self.outcome(step, &inner);
            }
            StepKind::Path { original, path } => self.location(step, indent, "Path", original, path),
            StepKind::Uri { original, uri } => self.location(step, indent, "URI", original, uri),
            StepKind::SubLookup(segments) => {
                let segments: Vec<_> = segments.iter().map(ToString::to_string).collect();
                self.line(indent, format_args!("Sub key: \"{}\"", segments.join(".")));
                self.branches(step, &inner);
                self.outcome(step, &inner);
            }
            StepKind::Segment => self.outcome(step, indent),
            StepKind::Scope(name) => {
                self.line(indent, format_args!("{name}"));
                self.branches(step, &inner);
                self.outcome(step, &inner);
            }
        }
    }

    fn location(&mut self, step: &Step, indent: &str, kind: &str, original: &str, location: &str) {
        let inner = format!("{indent}  ");
        self.line(indent, format_args!("{kind} \"{location}\""));
        self.line(&inner, format_args!("Original {}: \"{original}\"", kind.to_lowercase()));
        self.branches(step, &inner);
        if step.event == Some(Event::LocationNotFound) {
            self.line(&inner, format_args!("{kind} not found"));
        }
        self.outcome(step, &inner);
    }

    fn branches(&mut self, step: &Step, indent: &str) {
        step.branches.iter().for_each(|it| self.step(it, indent, indent));
    }

    fn texts(&mut self, step: &Step, indent: &str) {
        step.texts.iter().for_each(|it| self.line(indent, format_args!("{it}")));
    }

    fn outcome(&mut self, step: &Step, indent: &str) {
        let key = step.key.as_deref().unwrap_or_default();
        let place = match step.event {
            Some(Event::NotFound) => {
                self.line(indent, format_args!("No such key: \"{key}\""));
                None
            }
            Some(Event::Found) => Some(""),
            Some(Event::FoundInOverrides) => Some(" in overrides"),
            Some(Event::FoundInDefaults) => Some(" in defaults"),
            _ => None,
        };
        if let Some(place) = place {
            self.out.push_str(&format!("{indent}Found key: \"{key}\" value: "));
            self.value(step.value.as_ref().unwrap_or(&Value::Undef), indent);
            self.out.push_str(place);
            self.out.push('\n');
        }
        self.texts(step, indent);
    }

    fn value(&mut self, value: &Value, indent: &str) {
        let inner = format!("{indent}  ");
        match value {
            Value::Hash(hash) => {
                self.out.push('{');
                let mut separator = "\n";
                for (key, value) in hash.iter() {
                    self.out.push_str(separator);
                    self.out.push_str(&inner);
                    self.value(key, &inner);
                    self.out.push_str(" => ");
                    self.value(value, &inner);
                    separator = ",\n";
                }
                if !hash.is_empty() {
                    self.out.push('\n');
                    self.out.push_str(indent);
                }
                self.out.push('}');
            }
            Value::Array(elements) => {
                self.out.push('[');
                let mut separator = "\n";
                for it in elements.iter() {
                    self.out.push_str(separator);
                    self.out.push_str(&inner);
                    self.value(it, &inner);
                    separator = ",\n";
                }
                if !elements.is_empty() {
                    self.out.push('\n');
                    self.out.push_str(indent);
                }
                self.out.push(']');
            }
            other => self.out.push_str(&(self.inspect)(other)),
        }
    }
}
