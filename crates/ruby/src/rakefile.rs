//! The settings of puppet-lint in a `Rakefile`: `PuppetLint.configuration.send('disable_140chars')`, or `config.only_checks = ['a']` in
//! the block of a `PuppetLint::RakeTask.new`.

use marotte_text::Str;

use crate::evaluate::{Scope, Value, Visit};
use crate::syntax::{self, Block, Call, Expr, ExprKind};

/// The settings in a `Rakefile`, and the statements about settings that are too dynamic to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rakefile {
    /// The settings, in the order in which they are made.
    pub settings: Vec<Setting>,
    /// The statements that make settings that are not known.
    pub unread: Vec<Unread>,
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name of the method without `=`: `ignore_paths`, `disable_140chars`.
    pub name: Str,
    /// The value.
    pub value: Given,
    /// The line, from 1.
    pub line: usize,
    /// Whether the code around it may not run.
    pub is_conditional: bool,
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// The setting is a method without an argument, or `true`.
    On,
    /// `false` or `nil`
    Off,
    /// Strings, symbols or numbers: a list, or a single one.
    Words(Vec<Str>),
}

/// A statement that makes a setting that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The first line of the statement.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
}

/// The module of all that puppet-lint defines.
const LIBRARY: &str = "PuppetLint";

/// The object with the settings for all tasks.
const CONFIGURATION: &str = "PuppetLint.configuration";

/// The class of tasks, which have settings of their own.
const TASK: &str = "PuppetLint::RakeTask";

/// Reads the settings, as far as they are literal, or computed from literal lists and texts. None if the text is not certainly Ruby,
/// or takes too long to read.
pub fn read(text: &str) -> Option<Rakefile> {
    let source = syntax::parse(text);
    if !source.sound {
        return None;
    }
    // Wherever it is assigned, such a variable holds nothing else.
    let holders = text.lines().filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        let is_holder = [LIBRARY, CONFIGURATION].contains(&value.trim().trim_start_matches("::"));
        is_holder.then(|| Str::from(name.trim()))
    });
    let names = holders.collect();
    let mut reader = Reader { text, found: Rakefile::default(), names, is_conditional: false };
    let mut scope = Scope::new(&source);
    scope.walk(&source.body, &mut reader);
    (!scope.exhausted()).then_some(reader.found)
}

fn name_of(expr: &Expr) -> Option<Str> {
    match &expr.kind {
        ExprKind::Name(name) | ExprKind::Constant(name) => Some(name.clone()),
        _ => None,
    }
}

struct Reader<'t> {
    text: &'t str,
    found: Rakefile,
    /// The names of the variables that hold an object with settings.
    names: Vec<Str>,
    is_conditional: bool,
}

impl Visit for Reader<'_> {
    fn statement(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        match &expr.kind {
            ExprKind::Assign(target, value) => match &target.kind {
                ExprKind::Call(call) if self.has_settings(call.receiver.as_ref()) => {
                    self.set(scope, expr, call.method.clone(), Some(value));
                }
                _ => self.other(scope, expr),
            },
            ExprKind::Call(call) => self.call(scope, expr, call),
            ExprKind::Branches(parts) => self.branches(scope, expr, parts),
            ExprKind::Method(method) => self.maybe(|it| scope.walk(&method.body, it)),
            ExprKind::Module(body) => {
                if self.text_of(expr).lines().next().is_some_and(|it| it.contains(LIBRARY)) {
                    self.note_unread(expr);
                }
                scope.walk(body, self);
            }
            _ => self.other(scope, expr),
        }
    }
}

impl Reader<'_> {
    fn text_of(&self, expr: &Expr) -> &str {
        self.text.get(expr.range.clone()).unwrap_or_default()
    }

    fn is_configuration(&self, expr: &Expr) -> bool {
        self.text_of(expr).trim_start_matches("::") == CONFIGURATION
    }

    /// Whether a receiver is an object with settings.
    fn has_settings(&self, receiver: Option<&Expr>) -> bool {
        receiver.is_some_and(|it| {
            self.is_configuration(it) || name_of(it).is_some_and(|name| self.names.contains(&name))
        })
    }

    /// Whether code may make settings.
    fn mentions_settings(&self, expr: &Expr) -> bool {
        let text = self.text_of(expr);
        let calls = |name: &Str| {
            text.match_indices(name.as_str()).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                text[at + name.len()..].starts_with('.')
                    && before.is_none_or(|it| !it.is_alphanumeric() && !matches!(it, '_' | '.' | '@' | '$'))
            })
        };
        text.contains(LIBRARY) || self.names.iter().any(calls)
    }

    fn call(&mut self, scope: &mut Scope<'_>, expr: &Expr, call: &Call) {
        let is_task = call.method == "new"
            && call.receiver.as_ref().is_some_and(|it| self.text_of(it).trim_start_matches("::") == TASK);
        let has_settings = self.has_settings(call.receiver.as_ref());
        match (&call.block, &call.arguments[..]) {
            (Some(block), _) if is_task || has_settings && call.method == "tap" => {
                match block.parameters.as_ref().map(|it| it.first().cloned()) {
                    Some(name) => self.block(scope, block, name),
                    None => self.note_unread(expr),
                }
            }
            (None, _) if is_task => {}
            (None, [name, value @ ..]) if has_settings && is_send(&call.method) && value.len() < 2 => {
                match scope.value(name).text() {
                    Some(name) => self.set(scope, expr, name.trim_end_matches('=').into(), value.first()),
                    None => self.note_unread(expr),
                }
            }
            (None, []) if has_settings => {
                // Without a value, other methods only return a setting.
                if call.method.starts_with("disable_") || call.method.starts_with("enable_") {
                    self.set(scope, expr, call.method.clone(), None);
                }
            }
            (Some(block), _) if !has_settings => {
                let mut parts = call.receiver.iter().chain(&call.arguments);
                if parts.any(|it| self.mentions_settings(it)) {
                    self.note_unread(expr);
                }
                call.receiver.iter().for_each(|it| scope.forget(it));
                self.block(scope, block, None);
            }
            _ => self.other(scope, expr),
        }
    }

    /// Reads the body of a block that runs, or may run. The first parameter may hold an object with settings.
    fn block(&mut self, scope: &mut Scope<'_>, block: &Block, holder: Option<Str>) {
        let outside = self.names.clone();
        let values = scope.saved(block.parameters.as_deref().unwrap_or_default());
        for name in block.parameters.iter().flatten() {
            scope.bind(name, Value::Unknown);
            self.names.retain(|it| it != name);
        }
        self.names.extend(holder);
        scope.walk(&block.body, self);
        scope.restore(values);
        self.names = outside;
    }

    fn branches(&mut self, scope: &mut Scope<'_>, expr: &Expr, parts: &[Expr]) {
        let text = self.text_of(expr);
        if ["for", "while", "until"].iter().any(|it| text.starts_with(it)) {
            scope.forget(expr);
        }
        // Statements of `begin` run, at least the first ones.
        match text.starts_with("begin") {
            true => scope.walk(parts, self),
            false => self.maybe(|it| scope.walk(parts, it)),
        }
        forget_assigned(scope, parts);
    }

    /// Reads code that may not run.
    fn maybe(&mut self, read: impl FnOnce(&mut Self)) {
        let is_conditional = std::mem::replace(&mut self.is_conditional, true);
        read(self);
        self.is_conditional = is_conditional;
    }

    /// Reads a statement that makes no setting that can be read.
    fn other(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        if self.mentions_settings(expr)
            && !self.text_of(expr).starts_with("defined?")
            && !self.is_configuration(expr)
        {
            self.note_unread(expr);
        }
        match &expr.kind {
            // A method may change its receiver.
            ExprKind::Call(call) => call.receiver.iter().for_each(|it| scope.forget(it)),
            ExprKind::Name(_) | ExprKind::Constant(_) => {}
            _ => scope.forget(expr),
        }
    }

    fn set(&mut self, scope: &mut Scope<'_>, expr: &Expr, name: Str, value: Option<&Expr>) {
        let value = value.map_or(Some(Given::On), |it| given(scope.value(it)));
        match value {
            Some(value) => {
                let line = self.line(expr);
                self.found.settings.push(Setting { name, value, line, is_conditional: self.is_conditional });
            }
            None => self.note_unread(expr),
        }
    }

    fn line(&self, expr: &Expr) -> usize {
        self.text.get(..expr.range.start).unwrap_or_default().matches('\n').count() + 1
    }

    fn note_unread(&mut self, expr: &Expr) {
        let text = self.text_of(expr).lines().next().unwrap_or_default().trim_end().to_owned();
        let unread = Unread { text, line: self.line(expr) };
        if !self.found.unread.contains(&unread) {
            self.found.unread.push(unread);
        }
    }
}

fn is_send(method: &str) -> bool {
    matches!(method, "send" | "public_send" | "__send__")
}

/// Makes the variables unknown that code assigns which may not run, or runs several times.
fn forget_assigned(scope: &mut Scope<'_>, parts: &[Expr]) {
    for part in parts {
        match &part.kind {
            ExprKind::Assign(target, _) => {
                if let Some(name) = name_of(target) {
                    scope.bind(&name, Value::Unknown);
                }
            }
            ExprKind::Branches(parts) | ExprKind::Sequence(parts) => forget_assigned(scope, parts),
            ExprKind::Call(call) => {
                forget_assigned(scope, call.block.as_ref().map(|it| &it.body[..]).unwrap_or_default());
            }
            _ => {}
        }
    }
}

/// The value of a setting. None if it is unknown, or has another type.
fn given(value: Value) -> Option<Given> {
    match value {
        Value::Bool(true) => Some(Given::On),
        Value::Bool(false) | Value::Nil => Some(Given::Off),
        Value::Array(elements) => elements.iter().map(word).collect::<Option<Vec<_>>>().map(Given::Words),
        other => Some(Given::Words(vec![word(&other)?])),
    }
}

fn word(value: &Value) -> Option<Str> {
    match value {
        Value::String(text) | Value::Symbol(text) | Value::Number(text) => Some(text.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The settings, each with its line, and the lines that are not understood.
    fn found(text: &str) -> (Vec<String>, Vec<usize>) {
        let found = read(text).expect("Ruby");
        let setting = |it: &Setting| {
            let value = match &it.value {
                Given::On => String::new(),
                Given::Off => " off".to_owned(),
                Given::Words(words) => format!(" = {}", words.join(" ")),
            };
            let mark = if it.is_conditional { "?" } else { "" };
            format!("{}{mark} {}{value}", it.line, it.name)
        };
        let unread = found.unread.iter().map(|it| it.line).collect();
        (found.settings.iter().map(setting).collect(), unread)
    }

    fn settings(text: &str) -> Vec<String> {
        let (settings, unread) = found(text);
        assert!(unread.is_empty(), "{unread:?} in {text}");
        settings
    }

    #[test]
    fn literal_settings_are_read() {
        let text = "require 'puppet-lint/tasks/puppet-lint'\n\
                    PuppetLint.configuration.send('disable_140chars')\n\
                    PuppetLint.configuration.send(:disable_documentation)  # why\n\
                    PuppetLint.configuration.disable_star_comments\n\
                    PuppetLint.configuration.ignore_paths = ['a', \"b\"]\n\
                    PuppetLint.configuration.send('relative=', true)\n\
                    PuppetLint.configuration.fail_on_warnings = false\n\
                    PuppetLint.configuration.ignore_paths\n";
        let expected = [
            "2 disable_140chars",
            "3 disable_documentation",
            "4 disable_star_comments",
            "5 ignore_paths = a b",
            "6 relative",
            "7 fail_on_warnings off",
        ];
        assert_eq!(settings(text), expected);
    }

    #[test]
    fn variables_and_loops_over_literals_are_followed() {
        let text = "paths = ['a/**', 'b']\nMORE = (%w[c] + paths).freeze\n\
                    PuppetLint.configuration.ignore_paths = MORE\n\
                    ['x', :y].each { |c| PuppetLint.configuration.send(\"disable_#{c}\") }\n\
                    %w[z].each do |c|\n  PuppetLint.configuration.send('enable_' + c)\nend\n\
                    config = PuppetLint.configuration\nconfig.error_level = :error\n";
        let expected = [
            "3 ignore_paths = c a/** b",
            "4 disable_x",
            "4 disable_y",
            "6 enable_z",
            "9 error_level = error",
        ];
        assert_eq!(settings(text), expected);
    }

    #[test]
    fn blocks_have_variables_of_their_own() {
        let text = "x = '140chars'\n%w[a].each { |x| puts x }\ntask(:y) { |x| puts x }\n\
                    PuppetLint.configuration.send(\"disable_#{x}\")\n\
                    begin\n  config = ::PuppetLint.configuration\n  config.disable_b\nend\n\
                    task :lint do\n  other = PuppetLint.configuration\n  other.disable_c\nend\n";
        assert_eq!(settings(text), ["4 disable_140chars", "7 disable_b", "11 disable_c"]);
        let text = "lint = PuppetLint\nlint.configuration.disable_a\n\
                    class L < PuppetLint::RakeTask\nend\nL.new { |it| it.disable_b }\n";
        assert_eq!(found(text), (Vec::new(), vec![2, 3]));
    }

    #[test]
    fn tasks_have_settings_of_their_own() {
        let text = "paths = %w[a b]\n\
                    task.pattern = 'no'\n\
                    PuppetLint::RakeTask.new(:lint) do |config, args|\n\
                    \x20 config.ignore_paths = paths\n  config.only_checks = ['c']\nend\n\
                    RSpec::Core::RakeTask.new(:spec) { |config| config.pattern = 'no' }\n\
                    task :strict do\n  PuppetLint::RakeTask.new :x do |t|\n    t.fail_on_warnings = true\n  end\nend\n\
                    PuppetLint::RakeTask.new(:plain)\n\
                    PuppetLint.configuration.tap { |it| it.disable_80chars }\n";
        let expected =
            ["4 ignore_paths = a b", "5 only_checks = c", "10 fail_on_warnings", "14 disable_80chars"];
        assert_eq!(settings(text), expected);
    }

    #[test]
    fn settings_on_conditions_are_marked() {
        let text = "begin\n  require 'puppet-lint'\n  PuppetLint.configuration.disable_a\nrescue LoadError\n\
                    \x20 PuppetLint.configuration.disable_b\nend\n\
                    PuppetLint.configuration.disable_c if ENV['X']\n\
                    if defined?(PuppetLint.configuration)\n  PuppetLint.configuration.disable_d\nend\n";
        assert_eq!(settings(text), ["3 disable_a", "5? disable_b", "7? disable_c", "9? disable_d"]);
    }

    #[test]
    fn what_is_not_known_is_told_with_its_line() {
        let text = "paths = ['a']\npaths << 'b'\nPuppetLint.configuration.ignore_paths = paths\n\
                    Dir['*'].each { |c| PuppetLint.configuration.send(\"disable_#{c}\") }\n\
                    PuppetLint.configuration.ignore_paths += ['c']\n\
                    PuppetLint.configuration.ignore_paths << 'd'\n\
                    mode = 'a'\nmode = 'b' if ENV['X']\nPuppetLint.configuration.log_format = mode\n\
                    PuppetLint::RakeTask.new do |*all|\n  all[0].fix = true\nend\n\
                    for c in ['x'] do\n  PuppetLint.configuration.send(c)\nend\n\
                    PuppetLint.configuration.checks.each { |c| puts c }\n\
                    RSpec.configure { |c| c.disable_x }\n";
        assert_eq!(found(text), (Vec::new(), vec![3, 4, 5, 6, 9, 10, 14, 16]));
    }

    #[test]
    fn what_is_not_ruby_is_not_read() {
        assert_eq!(read("PuppetLint.configuration.disable_a\nif\n"), None);
    }
}
