//! The ways in which a program may add to the catalog or set variables of Puppet code, judging by its code.

use std::collections::BTreeSet;

use marotte_ruby::function::{Declares, Sets};

use super::Program;
use super::changes::{is_scope, literal};
use super::tree::{CallExpr, Expr, Target};
use super::walk::{Locals, Visitor, walk};

/// Methods that change the catalog, and those that call methods or run code that the text does not name.
const ADDING: &[&str] = &[
    "__send__",
    "add_class",
    "add_override",
    "add_resource",
    "define_type",
    "eval",
    "evaluate_classes",
    "instance_eval",
    "instance_exec",
    "public_send",
    "send",
    "tag",
];

/// The possible effects of a program on the code that runs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// The ways in which it may add to the catalog. Functions that it calls by name are listed, not followed.
    pub declares: Declares,
    /// The variables that it may set in the scope of its caller.
    pub sets: Sets,
}

impl Program {
    /// Returns what this program may declare and set.
    ///
    /// ```
    /// use marotte_ruby::function::Declares;
    /// use marotte_ruby_eval::program::Program;
    ///
    /// let template = Program::template("a.erb", b"include x <% scope.function_include(['x']) %>").unwrap();
    /// assert_eq!(template.effects().declares, Declares::Through(vec!["include".into()]));
    /// ```
    pub fn effects(&self) -> Effects {
        let mut search = Search::default();
        walk(&self.body, &mut search);
        let names = |all: BTreeSet<String>| all.into_iter().map(Into::into).collect();
        Effects {
            declares: match search.calls {
                _ if search.adds => Declares::Anything,
                calls if calls.is_empty() => Declares::Nothing,
                calls => Declares::Through(names(calls)),
            },
            sets: match search.variables {
                _ if search.sets_any => Sets::Anything,
                variables if variables.is_empty() => Sets::Nothing,
                variables => Sets::Named(names(variables)),
            },
        }
    }
}

/// The name of the function of Puppet that a call is about: `call_function('name', …)`, `function_name(…)`. None for other
/// methods; the inner None if the name is computed.
pub(super) fn called_function(call: &CallExpr) -> Option<Option<String>> {
    let method = call.name.name();
    match method.strip_prefix("function_") {
        Some(name) => Some(Some(name.to_lowercase())),
        None if &*method == "call_function" => {
            Some(call.arguments.positional.first().and_then(literal).map(|it| it.to_lowercase()))
        }
        None => None,
    }
}

#[derive(Default)]
struct Search {
    calls: BTreeSet<String>,
    adds: bool,
    variables: BTreeSet<String>,
    sets_any: bool,
}

impl Search {
    fn set(&mut self, name: Option<String>) {
        match name {
            Some(name) => drop(self.variables.insert(name)),
            None => self.sets_any = true,
        }
    }
}

impl Visitor for Search {
    fn expr(&mut self, expr: &Expr, _: &Locals<'_>) {
        let Expr::Call(call) = expr else { return };
        match called_function(call) {
            Some(Some(name)) => drop(self.calls.insert(name)),
            Some(None) => self.adds = true,
            None => {}
        }
        let method = call.name.name();
        self.adds |= ADDING.contains(&&*method);
        if &*method == "setvar" {
            self.set(call.arguments.positional.first().and_then(literal));
        }
    }

    fn target(&mut self, target: &Target, _: Option<&Expr>, _: &Locals<'_>) {
        if let Target::Index(it) = target
            && let Expr::Call(receiver) = &it.receiver
        {
            if is_scope(receiver) {
                self.set(it.arguments.positional.first().and_then(literal));
            }
            // An attribute of a resource.
            self.adds |= matches!(&*receiver.name.name(), "findresource" | "resource");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Effects {
        Program::template("a.erb", text.as_bytes()).unwrap().effects()
    }

    #[test]
    fn functions_and_ways_to_the_catalog_are_found() {
        assert_eq!(of("send <%= @a.include?('x') %> <%= scope.catalog.classes %>"), Effects::default());
        assert_eq!(
            of("<%= scope.call_function('Include', ['x']) %>").declares,
            Declares::Through(vec!["include".into()])
        );
        assert_eq!(of("<% scope.call_function(@name, ['x']) %>").declares, Declares::Anything);
        assert_eq!(of("<% scope.compiler.add_resource(scope, @it) %>").declares, Declares::Anything);
        assert_eq!(of("<% scope.catalog.resource('File[/a]')[:mode] = '1' %>").declares, Declares::Anything);
    }

    #[test]
    fn variables_that_are_set_are_found() {
        assert_eq!(
            of("<% scope.setvar('a', 1); scope['b'] = 2; x = scope['c'] == 1 %>").sets,
            Sets::Named(vec!["a".into(), "b".into()])
        );
        assert_eq!(of("<% scope[@name] = 2 %>").sets, Sets::Anything);
    }
}
