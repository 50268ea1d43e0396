//! Style rules: correct code that is written differently from the usual style. They correspond to the checks of puppet-lint and
//! its plugins. One file for each rule.
//!
//! All of them examine the text and the tree of one file, in one walk, which runs only if a style rule is enabled.

mod absolute_class_name;
mod absolute_variable_name;
mod anchor_resource;
mod capitalized_reference_title;
mod case_without_default;
mod collector_without_query;
mod declared_type;
mod empty_string_assignment;
mod empty_string_default;
mod ensure_not_first;
mod exec_without_condition;
mod file_ensure_present;
mod file_mode;
mod implicit_top_scope;
mod inherits_across_modules;
mod inherits_params_class;
mod leading_zero;
mod long_line;
mod lookup_in_parameter;
mod missing_documentation;
mod needless_double_quotes;
mod nested_definition;
mod only_variable_string;
mod optional_with_default;
mod package_ensure_latest;
mod parameter_documentation;
mod parameter_order;
mod puppet_url_without_modules;
mod quoted_boolean;
mod right_to_left_arrow;
mod selector_in_resource;
mod single_quoted_variable;
mod star_comment;
mod symlink_target_in_ensure;
mod top_scope_code;
mod top_scope_fact;
mod unenclosed_variable;
mod unquoted_file_mode;
mod unquoted_node_name;
mod unquoted_option;
mod unquoted_reference_title;
mod unquoted_resource_title;
mod untyped_parameter;
mod uppercase_variable;
mod version_as_number;

use marotte_diagnostics::{Diagnostic, Edit, FileId, Fix, Level, Rule};
use marotte_syntax::Comment;
use marotte_syntax::ast::{
    Attribute, AttributeName, Expr, ExprKind, Parameter, Program, Resource, ResourceBody,
};
use marotte_text::{LineIndex, TextRange, TextSize};

/// The input and output of a style rule: the text of one file, the path to the current expression, and the list of findings.
pub(crate) struct Style<'a> {
    file: FileId,
    text: &'a str,
    lines: &'a LineIndex,
    comments: &'a [Comment],
    /// The expressions that contain the current one, the outermost first.
    around: Vec<&'a Expr>,
    findings: Vec<Diagnostic>,
}

/// A class or a defined type, with the positions that rules need.
struct Definition<'a> {
    /// The range of the keyword `class` or `define`.
    keyword: TextRange,
    /// The word for the kind of definition in messages.
    kind: &'static str,
    /// The full name of the class or defined type.
    name: &'a str,
    parameters: &'a [Parameter],
    /// The name of the class that a class inherits from, as written, and its range.
    parent: Option<(&'a str, TextRange)>,
    body: &'a [Expr],
}

/// Returns the style findings in a file without errors, in no particular order.
pub(crate) fn findings(
    file: FileId,
    text: &str,
    lines: &LineIndex,
    program: &Program,
    comments: &[Comment],
) -> Vec<Diagnostic> {
    let mut style = Style { file, text, lines, comments, around: Vec::new(), findings: Vec::new() };
    long_line::check(&mut style);
    star_comment::check(&mut style);
    top_scope_code::check(&mut style, program);
    program.for_each_child(&mut |expr| walk(&mut style, expr));
    style.findings
}

fn walk<'a>(style: &mut Style<'a>, expr: &'a Expr) {
    look_at(style, expr);
    style.around.push(expr);
    expr.for_each_child(&mut |child| walk(style, child));
    style.around.pop();
}

/// Runs all rules on one expression.
fn look_at<'a>(style: &mut Style<'a>, expr: &'a Expr) {
    match &expr.kind {
        ExprKind::String(_) | ExprKind::Interpolated(_) => {
            needless_double_quotes::check(style, expr);
            only_variable_string::check(style, expr);
            puppet_url_without_modules::check(style, expr);
            quoted_boolean::check(style, expr);
            single_quoted_variable::check(style, expr);
            unenclosed_variable::check(style, expr);
        }
        ExprKind::Integer { .. } => leading_zero::check(style, expr),
        ExprKind::Variable(name) => {
            absolute_variable_name::check(style, expr, name);
            top_scope_fact::check(style, expr, name);
            uppercase_variable::check(style, expr.range, name);
        }
        ExprKind::Assignment(assignment) => empty_string_assignment::check(style, assignment),
        ExprKind::Binary(binary) => version_as_number::check(style, binary),
        ExprKind::Relationship(relationship) => right_to_left_arrow::check(style, relationship),
        ExprKind::Access(access) => {
            absolute_class_name::check_reference(style, access);
            capitalized_reference_title::check(style, access);
            unquoted_reference_title::check(style, access);
        }
        ExprKind::Selector(selector) => {
            selector_in_resource::check(style, expr, selector);
            selector.entries.iter().for_each(|it| unquoted_option::check(style, &it.key));
        }
        ExprKind::Case(case) => {
            case_without_default::check(style, expr, case);
            let values = case.options.iter().flat_map(|it| &it.values);
            values.for_each(|it| unquoted_option::check(style, it));
        }
        ExprKind::Call(call) => {
            absolute_class_name::check_call(style, call);
            uppercase_variable::check_parameters(style, call.lambda.as_deref());
        }
        ExprKind::MethodCall(call) => uppercase_variable::check_parameters(style, call.lambda.as_deref()),
        ExprKind::Resource(resource) => of_resource(style, resource),
        ExprKind::Collector(collector) => collector_without_query::check(style, collector),
        ExprKind::Node(node) => unquoted_node_name::check(style, node),
        ExprKind::Function(function) => {
            for parameter in &function.parameters {
                uppercase_variable::check(style, parameter.name_range, &parameter.name);
            }
        }
        ExprKind::Class(class) => {
            let definition = Definition {
                keyword: TextRange::at(expr.range.start(), TextSize::of("class")),
                kind: "class",
                name: &class.name,
                parameters: &class.parameters,
                parent: class.parent.as_ref().map(|(name, range)| (name.as_str(), *range)),
                body: &class.body,
            };
            of_definition(style, &definition);
        }
        ExprKind::Define(define) => {
            let definition = Definition {
                keyword: TextRange::at(expr.range.start(), TextSize::of("define")),
                kind: "defined type",
                name: &define.name,
                parameters: &define.parameters,
                parent: None,
                body: &define.body,
            };
            of_definition(style, &definition);
        }
        _ => {}
    }
}

fn of_resource<'a>(style: &mut Style<'a>, resource: &'a Resource) {
    anchor_resource::check(style, resource);
    for body in &resource.bodies {
        absolute_class_name::check_declaration(style, resource, body);
        ensure_not_first::check(style, resource, body);
        exec_without_condition::check(style, resource, body);
        file_ensure_present::check(style, resource, body);
        file_mode::check(style, resource, body);
        package_ensure_latest::check(style, resource, body);
        symlink_target_in_ensure::check(style, resource, body);
        unquoted_file_mode::check(style, resource, body);
        unquoted_resource_title::check(style, &body.title);
    }
}

fn of_definition<'a>(style: &mut Style<'a>, definition: &Definition<'a>) {
    implicit_top_scope::check(style, definition);
    inherits_across_modules::check(style, definition);
    inherits_params_class::check(style, definition);
    absolute_class_name::check_parent(style, definition);
    missing_documentation::check(style, definition);
    nested_definition::check(style, definition);
    parameter_documentation::check(style, definition);
    parameter_order::check(style, definition);
    for parameter in definition.parameters {
        empty_string_assignment::check_default(style, parameter);
        empty_string_default::check(style, parameter);
        lookup_in_parameter::check(style, parameter);
        optional_with_default::check(style, definition, parameter);
        untyped_parameter::check(style, definition, parameter);
        uppercase_variable::check(style, parameter.name_range, &parameter.name);
    }
}

impl<'a> Style<'a> {
    /// The source text of a range.
    fn source(&self, range: TextRange) -> &'a str {
        self.text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
    }

    /// The text before a place.
    fn before(&self, place: TextSize) -> &'a str {
        self.text.get(..usize::from(place)).unwrap_or_default()
    }

    /// The text from a place to the end of the file.
    fn from(&self, place: TextSize) -> &'a str {
        self.text.get(usize::from(place)..).unwrap_or_default()
    }

    /// The indentation of the line that contains a place.
    fn indent(&self, place: TextSize) -> &'a str {
        let start = self.lines.line_start(self.lines.line(place)).unwrap_or_default();
        let line = self.from(start);
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// The expression that directly contains the current one.
    fn parent(&self) -> Option<&'a Expr> {
        self.around.last().copied()
    }

    /// Adds a finding. It is reported only if its rule is enabled.
    fn report(
        &mut self,
        rule: &'static Rule,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let at = self.findings.len();
        self.findings.push(Diagnostic::new(rule, Level::Ignore, self.file, range, message.into()));
        &mut self.findings[at]
    }

    /// The quote character of a string: `'` or `"`. None for a bare word, and for the text of a heredoc.
    fn quote(&self, expr: &Expr) -> Option<char> {
        if matches!(self.parent().map(|it| &it.kind), Some(ExprKind::Heredoc(_))) {
            return None;
        }
        self.source(expr.range).chars().next().filter(|it| matches!(it, '\'' | '"'))
    }

    /// Whether an expression is a bare word: a name, or a string without quotes.
    fn is_word(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(_) => true,
            ExprKind::String(_) => !self.source(expr.range).starts_with(['\'', '"', '@']),
            _ => false,
        }
    }

    /// Returns a fix that puts quotes around a word.
    fn quoted(&self, word: TextRange, safe: bool) -> Fix {
        replace(word, format!("'{}'", self.source(word)), safe)
    }
}

/// Returns a fix that replaces a range.
fn replace(range: TextRange, text: String, safe: bool) -> Fix {
    Fix { title: format!("replace with `{text}`"), safe, edits: vec![Edit { range, text }] }
}

/// The name of the type of a resource, as written.
fn type_name(resource: &Resource) -> Option<&str> {
    match &resource.type_name.kind {
        ExprKind::Name(name) => Some(name.strip_prefix("::").unwrap_or(name)),
        _ => None,
    }
}

/// Returns the attribute of this name.
fn attribute<'a>(body: &'a ResourceBody, name: &str) -> Option<&'a Attribute> {
    body.attributes.iter().find(|it| is_named(it, name))
}

fn is_named(attribute: &Attribute, name: &str) -> bool {
    matches!(&attribute.name, AttributeName::Name(it) if it == name)
}

/// The text of a string without interpolation, or of a bare word.
fn literal(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(text) | ExprKind::String(text) => Some(text),
        _ => None,
    }
}

/// The name of the type that an expression refers to, with parameters or without.
fn named_type(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Reference(name) => Some(name),
        ExprKind::Access(access) => match &access.target.kind {
            ExprKind::Reference(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an expression, or one that it contains, meets a condition.
fn contains(expr: &Expr, is_it: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = is_it(expr);
    expr.for_each_child(&mut |child| found = found || contains(child, is_it));
    found
}
