//! Instance, class and global variables.

use std::rc::Rc;

use super::Vm;
use super::frame::Context;
use crate::stop::{Result, unsupported};
use crate::value::{Class, ClassKind, Object};
use crate::{Symbol, Value};

impl Vm<'_> {
    /// The value of an instance variable by its name with the sign; `nil` if it is not set.
    pub(crate) fn instance_variable(&mut self, this: &Value, name: Symbol) -> Result {
        Ok(match this {
            Value::Object(it) => match it.variable(name) {
                None if it.data().reads_scope() => self.scope_variable(it, name)?,
                None => {
                    self.check_is_unset(it, name)?;
                    None
                }
                value => value,
            },
            Value::Class(it) => {
                self.check_kept_state(name)?;
                it.variables.borrow().get(&name).cloned()
            }
            _ => None,
        }
        .unwrap_or(Value::Nil))
    }

    /// Ends the evaluation if an instance variable that is not set may have been set by an earlier call of a function.
    pub(crate) fn check_is_unset(&self, object: &Object, name: Symbol) -> Result<()> {
        match crate::puppet::function::may_have_more(object) {
            true => unsupported(format!("{name}, which code that was not evaluated to its end may have set")),
            false => Ok(()),
        }
    }

    /// Sets an instance variable.
    pub(crate) fn set_instance_variable(&mut self, this: &Value, name: Symbol, value: Value) -> Result<()> {
        match this {
            Value::Object(it) => {
                self.ensure_not_frozen(this)?;
                // Built-in methods of structs look at their members.
                if it.data_as::<crate::builtins::StructMembers>().is_some() {
                    self.check_is_known_in_full(&value)?;
                }
                it.set_variable(name, value);
                Ok(())
            }
            Value::Class(it) => {
                it.variables.borrow_mut().insert(name, value);
                Ok(())
            }
            _ if self.is_frozen(this) => self.ensure_not_frozen(this),
            _ => {
                let class = self.class_of(this).display_name();
                unsupported(format!("an instance variable of a value of class {class}"))
            }
        }
    }

    /// The class in which class variables of a piece of code are looked up.
    fn class_of_variables(&self, context: &Rc<Context>) -> Rc<Class> {
        let mut lexical = &context.frame.lexical;
        while lexical.module.kind == ClassKind::Singleton {
            match &lexical.parent {
                Some(parent) => lexical = parent,
                None => break,
            }
        }
        Rc::clone(&lexical.module)
    }

    fn class_with_variable(&self, class: &Rc<Class>, name: Symbol) -> Option<Rc<Class>> {
        class.ancestors().into_iter().find(|it| it.class_variables.borrow().contains_key(&name))
    }

    pub(super) fn find_class_variable(&self, name: Symbol, context: &Rc<Context>) -> Option<Value> {
        let class = self.class_with_variable(&self.class_of_variables(context), name)?;
        class.class_variables.borrow().get(&name).cloned()
    }

    pub(super) fn class_variable(&mut self, name: Symbol, context: &Rc<Context>) -> Result {
        self.check_kept_state(name)?;
        let class = self.class_of_variables(context);
        self.class_variable_of(&class, name)
    }

    /// The value of a class variable of a class or module.
    pub(crate) fn class_variable_of(&mut self, class: &Rc<Class>, name: Symbol) -> Result {
        let owner = self.class_with_variable(class, name);
        match owner.and_then(|it| it.class_variables.borrow().get(&name).cloned()) {
            Some(value) => Ok(value),
            None => {
                let message = format!("uninitialized class variable {name} in {}", class.display_name());
                self.raise_name("NameError", &Value::Class(Rc::clone(class)), name, message)
            }
        }
    }

    pub(super) fn set_class_variable(
        &mut self,
        name: Symbol,
        value: Value,
        context: &Rc<Context>,
    ) -> Result<()> {
        let class = self.class_of_variables(context);
        self.set_class_variable_of(&class, name, value)
    }

    /// Sets a class variable of a class or module.
    pub(crate) fn set_class_variable_of(
        &mut self,
        class: &Rc<Class>,
        name: Symbol,
        value: Value,
    ) -> Result<()> {
        let owner = self.class_with_variable(class, name).unwrap_or_else(|| Rc::clone(class));
        owner.class_variables.borrow_mut().insert(name, value);
        Ok(())
    }

    fn global_name(&self, name: Symbol) -> Symbol {
        self.world.global_aliases.borrow().get(&name).copied().unwrap_or(name)
    }

    /// The value of a global variable.
    pub(super) fn global_variable(&mut self, name: Symbol) -> Result {
        Ok(self.global_variable_if_set(name)?.unwrap_or(Value::Nil))
    }

    /// The value of a global variable, if it has one.
    pub(super) fn global_variable_if_set(&mut self, name: Symbol) -> Result<Option<Value>> {
        let name = self.global_name(name);
        let known = self.world.globals.borrow().get(&name).cloned();
        if known.is_some() {
            self.check_kept_state(name)?;
            return Ok(known);
        }
        Ok(match &*name.name() {
            "$!" => self.handled.last().cloned(),
            "$@" => match self.handled.last().cloned() {
                Some(error) => Some(self.call(&error, "backtrace", &[])?),
                None => None,
            },
            "$/" | "$-0" => Some(frozen("\n")),
            "$," | "$;" | "$-F" | "$_" | "$\\" => None,
            "$VERBOSE" | "$DEBUG" | "$-v" | "$-d" | "$-w" => Some(Value::Bool(false)),
            "$LOAD_PATH" | "$:" | "$-I" => Some(crate::builtins::core::load_path(self)),
            "$0" | "$PROGRAM_NAME" | "$*" | "$$" | "$?" | "$\"" | "$<" | "$>" | "$." | "$-i" | "$-a"
            | "$-l" | "$-p" | "$LOADED_FEATURES" | "$stdin" | "$stdout" | "$stderr" | "$FILENAME" | "$=" => {
                return unsupported(name.to_string());
            }
            _ => {
                self.check_kept_state(name)?;
                None
            }
        })
    }

    pub(super) fn set_global_variable(&mut self, name: Symbol, value: Value) -> Result<()> {
        let name = self.global_name(name);
        let text = name.name();
        let is_own = text[1..].starts_with(|it: char| it.is_alphabetic() || it == '_');
        let is_special = matches!(
            &*text,
            "$stdout"
                | "$stderr"
                | "$stdin"
                | "$_"
                | "$PROGRAM_NAME"
                | "$LOAD_PATH"
                | "$LOADED_FEATURES"
                | "$FILENAME"
        );
        if is_own && !is_special {
            self.world.globals.borrow_mut().insert(name, value);
            return Ok(());
        }
        match &*text {
            "$~" => {
                let last = match &value {
                    Value::Match(it) => Some(Rc::clone(it)),
                    Value::Nil => None,
                    _ => {
                        let class = self.conversion_name(&value);
                        return self.type_error(format!("wrong argument type {class} (expected MatchData)"));
                    }
                };
                self.set_last_match(last);
                Ok(())
            }
            _ => unsupported(format!("setting {name}")),
        }
    }
}

fn frozen(text: &str) -> Value {
    let value = Value::string(text);
    if let Value::String(it) = &value {
        it.freeze();
    }
    value
}
