//! Constants.

use std::rc::Rc;

use super::Vm;
use super::frame::Context;
use crate::program::tree::{ConstantPath, ConstantScope};
use crate::stop::{Result, Stop, Unsupported};
use crate::symbol::names;
use crate::value::{Class, ClassKind, MethodBody};
use crate::{Symbol, Value};

/// Constants that older versions of Puppet have, and this one does not.
const LIBRARIES_OF_OLDER_VERSIONS: [&str; 1] = ["PSON"];

/// Whether it is certain that a compiler has no constant of this name: the library is one of older versions, or of tests.
pub(crate) fn is_certainly_missing(name: &str) -> bool {
    LIBRARIES_OF_OLDER_VERSIONS.contains(&name) || name == "RSpec"
}

/// Whether a file has a function of the 4.x API.
fn is_4x(path: &str) -> bool {
    path.contains("/lib/puppet/functions/")
}

impl Vm<'_> {
    pub(super) fn eval_constant(&mut self, path: &ConstantPath, context: &Rc<Context>) -> Result {
        self.line = path.line;
        match &path.scope {
            ConstantScope::Lexical => match self.lexical_constant(path.name, context)? {
                Some(value) => Ok(value),
                None => {
                    let module = Rc::clone(&context.frame.lexical.module);
                    self.constant_missing(&module, path.name, false)
                }
            },
            ConstantScope::Root => {
                let object = Rc::clone(&self.world.object);
                match self.constant_of(&object, path.name)? {
                    Some(value) => Ok(value),
                    None => self.constant_missing(&object, path.name, true),
                }
            }
            ConstantScope::Value(expr) => match self.eval(expr, context)? {
                Value::Class(module) => {
                    self.line = path.line;
                    if let Some(owner) = self.private_owner(&module, path.name) {
                        let text =
                            format!("private constant {}::{} referenced", owner.display_name(), path.name);
                        return self.raise_name("NameError", &Value::Class(module), path.name, text);
                    }
                    self.constant_in(&module, path.name)
                }
                other => {
                    let text = self.inspect(&other)?;
                    self.type_error(format!("{text} is not a class/module"))
                }
            },
        }
    }

    /// The constant `module::name`.
    pub(crate) fn constant_in(&mut self, module: &Rc<Class>, name: Symbol) -> Result {
        match self.inherited_constant(module, name)? {
            Some(value) => Ok(value),
            None => self.constant_missing(module, name, true),
        }
    }

    /// The module that has the constant `module::name`, if it is private. None for other constants.
    fn private_owner(&self, module: &Rc<Class>, name: Symbol) -> Option<Rc<Class>> {
        let order = self.world.lookup_order(module);
        let owner = order.iter().find(|it| it.constants.borrow().contains_key(&name))?;
        owner.private_constants.borrow().contains(&name).then(|| Rc::clone(owner))
    }

    /// The value of a constant, if the program or the interpreter has set it.
    pub(super) fn constant_if_set(
        &mut self,
        path: &ConstantPath,
        context: &Rc<Context>,
    ) -> Result<Option<Value>> {
        match &path.scope {
            ConstantScope::Lexical => self.lexical_constant(path.name, context),
            ConstantScope::Root => {
                let object = Rc::clone(&self.world.object);
                self.constant_of(&object, path.name)
            }
            ConstantScope::Value(expr) => match self.eval(expr, context)? {
                Value::Class(module) if self.private_owner(&module, path.name).is_some() => Ok(None),
                Value::Class(module) => self.inherited_constant(&module, path.name),
                _ => Ok(None),
            },
        }
    }

    /// Looks up a constant by its name alone: in the enclosing modules, then in the ancestors of the innermost one,
    /// then at the top level.
    fn lexical_constant(&mut self, name: Symbol, context: &Rc<Context>) -> Result<Option<Value>> {
        let mut lexical = &context.frame.lexical;
        while let Some(parent) = &lexical.parent {
            if let Some(value) = self.constant_of(&lexical.module, name)? {
                return Ok(Some(value));
            }
            lexical = parent;
        }
        let module = Rc::clone(&context.frame.lexical.module);
        if let Some(value) = self.inherited_constant(&module, name)? {
            return Ok(Some(value));
        }
        let object = Rc::clone(&self.world.object);
        self.inherited_constant(&object, name)
    }

    /// A constant of a module or of its ancestors.
    pub(crate) fn inherited_constant(&mut self, module: &Rc<Class>, name: Symbol) -> Result<Option<Value>> {
        for ancestor in self.world.lookup_order(module).iter() {
            // `Foo::String` does not find the constants of the top level through the superclass of a class.
            let is_top = Rc::ptr_eq(ancestor, &self.world.object);
            if is_top && !Rc::ptr_eq(module, ancestor) && module.kind != ClassKind::Singleton {
                continue;
            }
            if let Some(value) = self.constant_of(ancestor, name)? {
                return Ok(Some(value));
            }
        }
        // In `class << Foo`, the constants of `Foo` are found.
        if module.kind == ClassKind::Singleton
            && let Some(Value::Class(class)) = Vm::attached(module)
        {
            return self.inherited_constant(&class, name);
        }
        Ok(None)
    }

    /// A constant of a module itself. Constants of built-in classes are made when they are first read.
    pub(crate) fn constant_of(&mut self, module: &Rc<Class>, name: Symbol) -> Result<Option<Value>> {
        if let Some(value) = module.constants.borrow().get(&name) {
            return Ok(Some(value.clone()));
        }
        let descriptions = module.descriptions.borrow();
        if module.kind == ClassKind::Singleton || descriptions.iter().all(|it| it.constants.is_empty()) {
            return Ok(None);
        }
        let text = name.name();
        let mut natives = descriptions.iter().flat_map(|it| it.constants);
        let native = natives.find(|(it, _)| *it == text).map(|(_, make)| *make);
        drop(descriptions);
        match native {
            Some(make) => {
                let value = make(self)?;
                module.constants.borrow_mut().insert(name, value.clone());
                Ok(Some(value))
            }
            None => Ok(None),
        }
    }

    /// Sets a constant; names a class that has no name yet.
    pub(crate) fn set_constant(&mut self, module: &Rc<Class>, name: Symbol, value: Value) -> Result<()> {
        if module.is_builtin() && self.constant_of(module, name)?.is_some() {
            return crate::stop::unsupported(format!("replacing the constant {name}"));
        }
        if let Value::Class(class) = &value
            && class.name.borrow().is_empty()
            && class.kind != ClassKind::Singleton
        {
            *class.name.borrow_mut() = self.qualified_name(module, name);
        }
        module.constants.borrow_mut().insert(name, value);
        Ok(())
    }

    pub(super) fn qualified_name(&self, module: &Rc<Class>, name: Symbol) -> String {
        match Rc::ptr_eq(module, &self.world.object) || module.name.borrow().is_empty() {
            true => name.to_string(),
            false => format!("{}::{name}", module.name.borrow()),
        }
    }

    /// Handles an unknown constant. Only in modules created by the program itself it is certain that it does not exist.
    fn constant_missing(&mut self, module: &Rc<Class>, name: Symbol, is_scoped: bool) -> Result {
        let own = self.find_entry(&Value::Class(Rc::clone(module)), names::CONST_MISSING);
        if let Some(entry) = own.filter(|it| !matches!(it.method.body, MethodBody::Native(_))) {
            let this = Value::Class(Rc::clone(module));
            return self.invoke(&entry, &this, names::CONST_MISSING, &[Value::Symbol(name)], None, None);
        }
        self.check_unfinished(name)?;
        let full = match is_scoped {
            true => self.qualified_name(module, name),
            false => name.to_string(),
        };
        if !is_scoped && is_certainly_missing(&full) {
            let within = match Rc::ptr_eq(module, &self.world.object) {
                // Files of the 4.x API are evaluated within this class.
                true if self.stack.last().is_some_and(|it| is_4x(&it.context.frame.code.source.path)) => {
                    "Puppet::Pops::Loader::RubyFunctionInstantiator::".to_owned()
                }
                true => String::new(),
                false => format!("{}::", module.display_name()),
            };
            let this = Value::Class(Rc::clone(module));
            return self.raise_name(
                "NameError",
                &this,
                name,
                format!("uninitialized constant {within}{full}"),
            );
        }
        let is_open = !is_scoped
            || module.ancestors().iter().any(|it| {
                it.is_builtin()
                    && !Rc::ptr_eq(it, &self.world.object)
                    && !matches!(&**it.name.borrow(), "Kernel" | "BasicObject")
            })
            || Rc::ptr_eq(module, &self.world.object);
        match is_open {
            true => Err(Box::new(Stop::Unsupported(Unsupported::new(full)))),
            false => {
                let this = Value::Class(Rc::clone(module));
                self.raise_name("NameError", &this, name, format!("uninitialized constant {full}"))
            }
        }
    }
}
