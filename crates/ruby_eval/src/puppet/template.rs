//! `Puppet::Parser::TemplateWrapper`: `self` of a template. The variables of the scope are its instance variables; they
//! are requested from the host when they are read.

use std::rc::Rc;

use super::scope;
use crate::native::{Call, NativeClass, NativeMethod, at_least, exactly};
use crate::program::Program;
use crate::stop::{Result, unsupported};
use crate::value::{Data, Object};
use crate::{Symbol, Value, Vm};

/// The instance variable that has the path of a template's file.
const FILE: &str = "@__file__";

/// The state of a template: its path, None for inline templates.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    path: Option<String>,
}

impl Data for Template {
    fn reads_scope(&self) -> bool {
        true
    }
}

impl Vm<'_> {
    /// Renders a template in the scope of the host.
    ///
    /// # Errors
    /// If the template raises an exception.
    pub fn render_template(&mut self, program: &Program, path: Option<&str>) -> Result<String> {
        let class = Rc::clone(self.world.class("Puppet::Parser::TemplateWrapper"));
        let this = Value::Object(Object::new(class, Template { path: path.map(str::to_owned) }));
        let text = self.render(program, &this)?;
        match text.text() {
            Some(text) => Ok(text.to_owned()),
            None => unsupported("a template that renders invalid bytes"),
        }
    }

    /// The value of an instance variable that a template has before its code runs: a variable of the scope, or the
    /// template's own state. None if there is none.
    ///
    /// # Errors
    /// If it is not known.
    pub(crate) fn scope_variable(&mut self, template: &Object, name: Symbol) -> Result<Option<Value>> {
        let name = name.name();
        match name.as_str() {
            "@__scope__" => Ok(Some(scope::current(self))),
            FILE => Ok(template.data_as::<Template>().and_then(|it| it.path.clone()).map(Value::string)),
            name => {
                let value = self.variable(name.trim_start_matches('@'))?;
                Ok(value.filter(|it| !matches!(it, Value::Nil)))
            }
        }
    }

    /// Whether a template has an instance variable before its code runs.
    ///
    /// # Errors
    /// If that is not known.
    pub(crate) fn has_scope_variable(&mut self, template: &Object, name: Symbol) -> Result<bool> {
        match self.scope_variable(template, name)? {
            Some(value) => self.check_is_set(&value).map(|()| true),
            None => Ok(false),
        }
    }

    /// The names of the instance variables that a template has before its code runs, in their order.
    ///
    /// # Errors
    /// If they are not known.
    pub(crate) fn scope_variables(&mut self, template: &Object) -> Result<Vec<Symbol>> {
        let mut names = vec![Symbol::new("@__scope__")];
        if template.data_as::<Template>().is_some_and(|it| it.path.is_some()) {
            names.push(Symbol::new(FILE));
        }
        for (name, _) in self.variables_that_are_set(true)? {
            let plain = |it: char| if it.is_ascii_alphanumeric() { it } else { '_' };
            names.push(Symbol::new(&format!("@{}", name.chars().map(plain).collect::<String>())));
        }
        Ok(names)
    }
}

fn log(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let message = vm.to_s(call.required(0))?.lossy();
    vm.host.log(&call.name.name(), &message);
    Ok(Value::Nil)
}

static METHODS: [NativeMethod; 14] = [
    exactly("scope", 0, |vm, _| Ok(scope::current(vm))),
    exactly("file", 0, |_, call| match call.this {
        Value::Object(it) => Ok(it.data_as::<Template>().and_then(|it| it.path.clone()).into()),
        _ => Ok(Value::Nil),
    }),
    exactly("has_variable?", 1, |vm, call| {
        let scope = scope::current(vm);
        vm.call(&scope, "include?", call.arguments)
    }),
    exactly("classes", 0, |vm, _| {
        let scope = scope::current(vm);
        let catalog = vm.call(&scope, "catalog", &[])?;
        vm.call(&catalog, "classes", &[])
    }),
    exactly("all_tags", 0, |_, _| unsupported("the tags of the catalog")),
    exactly("tags", 0, |vm, _| vm.raise_named("NotImplementedError", "Call 'all_tags' instead.")),
    exactly("to_s", 0, |_, call| match call.this {
        Value::Object(it) => {
            let path = it.data_as::<Template>().and_then(|it| it.path.clone());
            Ok(Value::string(format!("template[{}]", path.as_deref().unwrap_or("inline"))))
        }
        _ => Ok(Value::Nil),
    }),
    at_least("debug", 1, log),
    at_least("info", 1, log),
    at_least("notice", 1, log),
    at_least("warning", 1, log),
    at_least("err", 1, log),
    at_least("alert", 1, log),
    at_least("crit", 1, log),
];

/// `Puppet::Parser::TemplateWrapper`
pub(crate) static TEMPLATE_WRAPPER: NativeClass = NativeClass {
    name: "Puppet::Parser::TemplateWrapper",
    superclass: Some("Object"),
    methods: &[&METHODS],
    ..NativeClass::EMPTY
};
