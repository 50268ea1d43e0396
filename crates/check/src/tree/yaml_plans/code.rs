//! `unresolved-variable` and `invalid-plan` for the code in a plan in YAML: texts that start with `$`, interpolated ones in double
//! quotes, and blocks.

use marotte_db::source_text;
use marotte_diagnostics::{rules, syntax};
use marotte_hiera::data::{Inner, Places};
use marotte_hir::lower;
use marotte_pcore::value::Value;
use marotte_resolve::spelling::nearest;
use marotte_syntax::{Mode, parse};
use marotte_text::{TextRange, TextSize};

use super::Plan;

/// How a text of YAML is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// It is what it says.
    Literal,
    /// In double quotes: it is interpolated.
    Interpolated,
    /// Without quotes, and it starts with `$`: an expression.
    Expression,
    /// A block with `|`: statements.
    Block,
}

/// Returns how a text is evaluated whose source is this.
pub(super) fn form(source: &str, text: &str) -> Form {
    match source.chars().next() {
        Some('"') => Form::Interpolated,
        Some('$') if text.starts_with('$') => Form::Expression,
        Some('|') => Form::Block,
        _ => Form::Literal,
    }
}

impl Plan<'_> {
    /// Checks the code in the texts of a value.
    pub(super) fn code(&mut self, value: &Value, places: &Places) {
        match (value, &places.inner) {
            (Value::String(text), _) => self.text(text, places.range),
            (Value::Array(elements), Inner::Elements(inner)) => {
                elements.iter().zip(inner.iter()).for_each(|(it, places)| self.code(it, places));
            }
            _ => {
                for (_, _, value, places) in places.entries(value).into_iter().flatten() {
                    self.code(value, places);
                }
            }
        }
    }

    fn text(&mut self, text: &str, range: TextRange) {
        let source = &source_text(self.db, self.file).text()[range];
        match form(source, text) {
            Form::Literal => {}
            Form::Interpolated => {
                let starts: Vec<usize> = source.match_indices("${").map(|it| it.0 + 2).collect();
                for at in starts {
                    let rest = &source[at..];
                    let is_part = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
                    let name = &rest[..rest.find(|it: char| !is_part(it)).unwrap_or(rest.len())];
                    // Other expressions, such as calls, start with a name, too.
                    let is_variable =
                        rest[name.len()..].chars().next().is_none_or(|it| "}[.\" \n".contains(it));
                    if name.starts_with(|it: char| it.is_ascii_lowercase()) && is_variable {
                        self.variable(name, range, at);
                    }
                }
            }
            Form::Expression | Form::Block => self.statements(text, source, range),
        }
    }

    fn statements(&mut self, text: &str, source: &str, range: TextRange) {
        let program = parse(text, Mode { tasks: true, ..Mode::default() });
        let error = program.errors.iter().find(|it| !it.kind.is_warning());
        if let Some(error) = error {
            let found = syntax::diagnostic(self.file.id(self.db), error, text);
            // Lines of a block are indented, and lines of other texts are joined.
            let place = part(text, source, found.range).map(|it| it + range.start());
            let at = place.unwrap_or_else(|| self.first_line(range));
            let finding = self.report(rules::INVALID_PLAN, at, found.message);
            finding.label = found.label.filter(|_| place.is_some());
            finding.notes.extend(found.notes);
            finding.notes.push("Bolt refuses the plan because it cannot parse this code".to_owned());
            return;
        }
        let lowered = lower(&program.program);
        for name in lowered.main.open_reads() {
            if let Some((at, _)) = source.match_indices(name.as_str()).find(|(at, found)| {
                let is_part = |it: char| it.is_alphanumeric() || it == '_';
                source[..*at].ends_with(['$', '{']) && !source[at + found.len()..].starts_with(is_part)
            }) {
                self.variable(name, range, at);
            }
        }
    }

    /// Reports a variable that nothing sets, at an offset from the start of a text.
    fn variable(&mut self, name: &str, range: TextRange, at: usize) {
        if self.known.contains(name) || matches!(name, "facts" | "trusted" | "server_facts") {
            return;
        }
        let meant = nearest(name, self.known.iter().map(String::as_str)).map(|it| format!("${it}"));
        let start = range.start() + TextSize::try_from(at).unwrap_or_default();
        let message = format!("nothing sets the variable `${name}`");
        self.not_found(
            rules::UNRESOLVED_VARIABLE,
            TextRange::at(start, TextSize::of(name)),
            message,
            meant.as_deref(),
        );
    }
}

/// Maps a range of the value of a YAML string to the source of the string. None if the line has another form in the source.
fn part(text: &str, source: &str, range: TextRange) -> Option<TextRange> {
    let start = usize::from(range.start()).min(text.len());
    let line_start = text[..start].rfind('\n').map_or(0, |it| it + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    let number = text[..line_start].matches('\n').count();
    // The header of a block is a line of its own.
    let skipped = number + usize::from(source.starts_with('|'));
    let mut offset = 0;
    let mut lines = source.split_inclusive('\n');
    for _ in 0..skipped {
        offset += lines.next()?.len();
    }
    let indent = lines.next()?.find(line)?;
    let at = offset + indent + (start - line_start);
    let length = usize::from(range.len()).min(line.len() - (start - line_start).min(line.len()));
    Some(TextRange::at(TextSize::try_from(at).ok()?, TextSize::try_from(length).ok()?))
}
