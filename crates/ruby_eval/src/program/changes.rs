//! The values of Puppet code that a program may change in place, judging by its code.

use std::collections::{BTreeSet, HashMap};

use super::Program;
use super::effects::called_function;
use super::tree::{BlockArgument, CallExpr, Element, Expr, Receiver, StringLiteral, Target};
use super::walk::{Locals, Visitor, walk};
use crate::Symbol;
use crate::builtins;

/// Methods that change their receiver, and those whose names end with `!`.
const CHANGING: &[&str] = &[
    "<<",
    "[]=",
    "add",
    "append",
    "clear",
    "compare_by_identity",
    "concat",
    "default=",
    "default_proc=",
    "delete",
    "delete_at",
    "delete_if",
    "fill",
    "force_encoding",
    "insert",
    "keep_if",
    "merge!",
    "pop",
    "prepend",
    "push",
    "rehash",
    "replace",
    "setbyte",
    "shift",
    "store",
    "unshift",
    "update",
];

/// Methods that change their receiver and that strings do not have.
const ONLY_COLLECTIONS: &[&str] = &[
    "add",
    "append",
    "collect!",
    "compact!",
    "compare_by_identity",
    "default=",
    "default_proc=",
    "delete_at",
    "delete_if",
    "fill",
    "flatten!",
    "keep_if",
    "map!",
    "merge!",
    "pop",
    "push",
    "rehash",
    "reject!",
    "select!",
    "shift",
    "shuffle!",
    "sort!",
    "sort_by!",
    "store",
    "transform_keys!",
    "transform_values!",
    "uniq!",
    "unshift",
    "update",
];

/// Methods that call methods or run code that the text does not name, or get all variables.
const HIDDEN: &[&str] = &[
    "__send__",
    "binding",
    "call",
    "eval",
    "instance_eval",
    "instance_exec",
    "instance_variable_get",
    "instance_variables",
    "method",
    "public_send",
    "send",
    "to_hash",
];

/// Methods whose results are new objects, whatever their receivers are.
const CREATING: &[&str] = &[
    "%",
    "*",
    "+",
    "-",
    "capitalize",
    "clone",
    "collect",
    "compact",
    "downcase",
    "dup",
    "flatten",
    "gsub",
    "inspect",
    "join",
    "keys",
    "map",
    "merge",
    "new",
    "reject",
    "reverse",
    "select",
    "sort",
    "sort_by",
    "split",
    "sprintf",
    "strip",
    "sub",
    "uniq",
    "upcase",
    "values",
    "zip",
];

/// The values of Puppet code that a program may change in place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MayChange {
    /// Whether the code itself may change values, not only functions that it calls.
    pub itself: bool,
    /// The names of the functions of Puppet that it calls, which may change what they get.
    pub calls: Vec<String>,
    /// The names of the variables from which the program may get such a value.
    pub names: Vec<String>,
    /// Whether it may get values of variables whose names its code does not say.
    pub others: bool,
    /// The names of the variables whose strings it may change.
    pub texts: Vec<String>,
    /// Whether it may change any string in a value that it gets.
    pub any_text: bool,
}

impl MayChange {
    /// Adds what a called function may change of the values that it is given.
    pub fn include(&mut self, called: Option<MayChange>) {
        let Some(called) = called else { return };
        self.itself |= called.itself;
        self.others |= called.others;
        self.any_text |= called.any_text;
        let merge = |into: &mut Vec<String>, from: Vec<String>| {
            let new: Vec<String> = from.into_iter().filter(|it| !into.contains(it)).collect();
            into.extend(new);
        };
        merge(&mut self.calls, called.calls);
        merge(&mut self.names, called.names);
        merge(&mut self.texts, called.texts);
    }
}

impl Program {
    /// Returns what this program may change of the arrays, hashes and strings that it gets; None for nothing. The reference
    /// shares such a value among all that hold it: a parameter that a template changes is changed in the catalog, too.
    /// The functions that it calls are listed, not followed.
    ///
    /// ```
    /// use marotte_ruby_eval::program::Program;
    ///
    /// let of = |text: &str| Program::template("a.erb", text.as_bytes()).unwrap().may_change();
    /// assert_eq!(of("<% @list << 1 %><%= scope['a::b'] %>").unwrap().names, ["a::b", "list"]);
    /// assert!(of("<% all = []; @list.each do |it| all << it end %> << <%= all.join(' << ') %>").is_none());
    /// ```
    pub fn may_change(&self) -> Option<MayChange> {
        let mut fresh = Fresh::default();
        walk(&self.body, &mut fresh);
        let mut search = Search {
            fresh: &fresh.variables,
            names: BTreeSet::new(),
            others: false,
            texts: BTreeSet::new(),
            any_text: false,
            itself: false,
            calls: BTreeSet::new(),
        };
        walk(&self.body, &mut search);
        let Search { names, others, texts, any_text, itself, calls, .. } = search;
        (itself || !calls.is_empty()).then(|| MayChange {
            itself,
            calls: calls.into_iter().collect(),
            names: names.into_iter().collect(),
            others,
            texts: texts.into_iter().collect(),
            any_text,
        })
    }
}

/// Finds the local variables that only get new objects, by name.
#[derive(Default)]
struct Fresh {
    variables: HashMap<Symbol, bool>,
}

impl Visitor for Fresh {
    fn expr(&mut self, _: &Expr, _: &Locals<'_>) {}

    fn target(&mut self, target: &Target, value: Option<&Expr>, locals: &Locals<'_>) {
        if let Target::Local { depth, slot } = *target
            && let Some(name) = locals.name(depth, slot)
        {
            *self.variables.entry(name).or_insert(true) &=
                value.is_some_and(|it| is_new_or_own(it, name, locals));
        }
    }
}

/// Whether the value of an expression is an object that nothing else holds, or the present one of a local variable:
/// `list = text ? list.split('') : list`.
fn is_new_or_own(expr: &Expr, name: Symbol, locals: &Locals<'_>) -> bool {
    match expr {
        Expr::If(it) => is_new_or_own(&it.then, name, locals) && is_new_or_own(&it.otherwise, name, locals),
        Expr::Local(slot) => locals.name(0, *slot) == Some(name),
        _ => is_new(expr),
    }
}

/// Whether the value of an expression is an object that nothing else holds.
fn is_new(expr: &Expr) -> bool {
    match expr {
        Expr::Nil
        | Expr::True
        | Expr::False
        | Expr::Integer(_)
        | Expr::Float(_)
        | Expr::Symbol(_)
        | Expr::String(_)
        | Expr::Interpolation(_)
        | Expr::Array(_)
        | Expr::Hash(_) => true,
        Expr::Call(it) => CREATING.contains(&&*it.name.name()),
        _ => false,
    }
}

struct Search<'f> {
    fresh: &'f HashMap<Symbol, bool>,
    names: BTreeSet<String>,
    others: bool,
    texts: BTreeSet<String>,
    any_text: bool,
    itself: bool,
    calls: BTreeSet<String>,
}

impl Search<'_> {
    /// Notes that an object may be changed, if Puppet code may hold it.
    fn change(&mut self, receiver: &Expr, method: &str, locals: &Locals<'_>) {
        if !self.is_shared(receiver, locals) {
            return;
        }
        self.itself = true;
        if ONLY_COLLECTIONS.contains(&method) {
            return;
        }
        match receiver {
            Expr::InstanceVariable(it) => {
                self.texts.insert(it.name().trim_start_matches('@').to_owned());
            }
            _ => self.any_text = true,
        }
    }

    /// Whether an object may be one that Puppet code holds.
    fn is_shared(&self, receiver: &Expr, locals: &Locals<'_>) -> bool {
        let local = match *receiver {
            Expr::Local(slot) => locals.name(0, slot),
            Expr::Outer { depth, slot } => locals.name(depth, slot),
            _ => return !is_new(receiver),
        };
        // The text that a template has rendered is its own.
        let is_own = |it: Symbol| &*it.name() == "_erbout" || self.fresh.get(&it).copied().unwrap_or(false);
        !local.is_some_and(is_own)
    }

    fn call(&mut self, call: &CallExpr, locals: &Locals<'_>) {
        let name = call.name.name();
        let name = &*name;
        if HIDDEN.contains(&name) {
            (self.itself, self.others, self.any_text) = (true, true, true);
        }
        match &call.receiver {
            Receiver::Value(receiver) => {
                if CHANGING.contains(&name) || (name.len() > 1 && name.ends_with('!')) {
                    self.change(receiver, name, locals);
                }
                let gives = !call.arguments.positional.is_empty()
                    || call.arguments.keywords.is_some()
                    || !matches!(call.arguments.block, BlockArgument::None);
                // Code of other files may change arrays and hashes that it gets. That it changes strings is not assumed.
                if gives && constant_name(receiver).is_some_and(|it| !is_built_in(&it)) {
                    self.itself = true;
                }
            }
            Receiver::Implicit | Receiver::SelfValue => {}
        }
        match called_function(call) {
            Some(Some(function)) => drop(self.calls.insert(function)),
            Some(None) => self.itself = true,
            None => {}
        }
        // A variable with a computed name.
        let reads = matches!(name, "[]" | "lookupvar")
            && matches!(&call.receiver, Receiver::Value(Expr::Call(it)) if is_scope(it));
        self.others |= reads && !call.arguments.positional.iter().all(|it| literal(it).is_some());
    }

    fn text(&mut self, text: &str) {
        let text = text.strip_prefix("::").unwrap_or(text);
        if !text.is_empty() && text.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b':'))
        {
            self.names.insert(text.to_owned());
        }
    }
}

impl Visitor for Search<'_> {
    fn expr(&mut self, expr: &Expr, locals: &Locals<'_>) {
        match expr {
            Expr::Call(it) => self.call(it, locals),
            Expr::InstanceVariable(it) => self.text(it.name().trim_start_matches('@')),
            Expr::Symbol(it) => self.text(&it.name()),
            Expr::String(StringLiteral { bytes, .. }) => {
                if let Ok(text) = std::str::from_utf8(bytes) {
                    self.text(text);
                }
            }
            _ => {}
        }
    }

    fn target(&mut self, target: &Target, _: Option<&Expr>, locals: &Locals<'_>) {
        match target {
            Target::Index(it) => self.change(&it.receiver, "[]=", locals),
            // Arrays, hashes and strings have no other attributes.
            Target::Attribute(it) if CHANGING.contains(&&*it.writer.name()) => {
                self.change(&it.receiver, &it.writer.name(), locals);
            }
            _ => {}
        }
    }
}

/// Whether a call is `scope` or `closure_scope`.
pub(super) fn is_scope(call: &CallExpr) -> bool {
    matches!(&*call.name.name(), "scope" | "closure_scope") && matches!(call.receiver, Receiver::Implicit)
}

/// The text of an argument that is a literal string or symbol.
pub(super) fn literal(argument: &Element) -> Option<String> {
    match argument {
        Element::Value(Expr::String(StringLiteral { bytes, .. })) => {
            Some(std::str::from_utf8(bytes).ok()?.to_owned())
        }
        Element::Value(Expr::Symbol(it)) => Some(it.name().to_string()),
        _ => None,
    }
}

/// The name of a constant, with the modules that it names.
fn constant_name(expr: &Expr) -> Option<String> {
    use super::tree::ConstantScope;
    let Expr::Constant(path) = expr else { return None };
    match &path.scope {
        ConstantScope::Lexical | ConstantScope::Root => Some(path.name.name().to_string()),
        ConstantScope::Value(scope) => Some(format!("{}::{}", constant_name(scope)?, path.name.name())),
    }
}

fn is_built_in(constant: &str) -> bool {
    constant == "ENV" || builtins::all().any(|it| it.name == constant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<MayChange> {
        Program::template("a.erb", text.as_bytes()).unwrap().may_change()
    }

    #[test]
    fn new_objects_are_not_those_of_puppet_code() {
        for text in [
            "<% all = [] %><% all << @a %>",
            "<% all = [] %><% @list.each do |x| all << x end %>",
            "a <<\n<%= @a.join(' << ') %>",
            "<% t = @text.dup; t.upcase! %><%= t %>",
            "<% t = @t.clone; t = @x ? t.split('') : t; t[0], t[1] = t[1], t[0] %>",
            "<% Puppet.warning(@t) unless ENV['QUIET'] %>",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    /// Attributes of other objects are not Puppet's values.
    #[test]
    fn attributes_of_other_objects_are_no_values() {
        assert_eq!(of("<% u = URI.parse(@url); u.host = @host %><%= u %>"), None);
    }

    #[test]
    fn called_functions_are_listed() {
        let it = of("<%= scope.call_function('Join', [@a]) + scope.function_to_yaml([@b]) %>").unwrap();
        assert!(!it.itself);
        assert_eq!(
            (it.calls, it.names),
            (vec!["join".to_owned(), "to_yaml".into()], ["Join", "a", "b"].map(Into::into).to_vec())
        );
    }

    #[test]
    fn shared_objects_may_be_changed() {
        for text in [
            "<% all = @a %><% all << 1 %>",
            "<% all = []; all = @a %><% all << 1 %>",
            "<% all = []; all = @x ? all : @a %><% all << 1 %>",
            "<% @list.each do |x| x << 1 end %>",
            "<% @h['k'] = 1 %>",
            "<% @h['k'] ||= 1 %>",
            "<% a, @h['k'] = 1, 2 %>",
            "<% @list.map!(&:to_s) %>",
            "<% PuppetX::Own.change(@list) %>",
            "<% @list.send(:clear) %>",
            "<% @h.default = @a %>",
            "<% scope.call_function(@name, [@list]) %>",
        ] {
            assert!(of(text).is_some(), "{text}");
        }
    }
}
