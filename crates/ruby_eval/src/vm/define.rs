//! Definitions of methods, classes and modules.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use super::Vm;
use super::frame::{Context, Lexical};
use super::invoke::Invocation;
use super::world::exhausted;
use crate::program::tree::{ClassExpr, ClassExprKind, ConstantPath, ConstantScope, DefineMethod};
use crate::stop::{Result, unsupported};
use crate::symbol::names;
use crate::value::{Class, ClassKind, Method, MethodBody, Visibility};
use crate::{Symbol, Value};

/// The greatest number of superclasses of a class. Some operations follow all of them by recursion.
const SUPERCLASSES: usize = 200;
/// The greatest number of modules that the code may create.
const MODULES: usize = 1_000;
/// The memory for a class, in bytes.
pub(super) const CLASS: usize = 1 << 10;

impl Vm<'_> {
    pub(super) fn eval_define(&mut self, define: &DefineMethod, context: &Rc<Context>) -> Result {
        self.line = define.code.line;
        let name = define.code.name;
        let body =
            MethodBody::Code { code: Arc::clone(&define.code), lexical: Rc::clone(&context.frame.lexical) };
        match &define.object {
            Some(object) => {
                let object = self.eval(object, context)?;
                let class = self.singleton_class(&object)?;
                self.add_method(&class, name, Method { body, visibility: Visibility::Public })?;
            }
            None => {
                let class = Rc::clone(&context.frame.definee);
                let frame = &context.frame;
                let visibility = match &*name.name() {
                    "initialize"
                    | "initialize_copy"
                    | "initialize_dup"
                    | "initialize_clone"
                    | "respond_to_missing?" => Visibility::Private,
                    _ if frame.is_module_function.get() => Visibility::Private,
                    _ => frame.visibility.get(),
                };
                let method = Method { body, visibility };
                if frame.is_module_function.get() {
                    let meta = self.world.meta(&class);
                    self.add_method(
                        &meta,
                        name,
                        Method { visibility: Visibility::Public, ..method.clone() },
                    )?;
                }
                self.add_method(&class, name, method)?;
            }
        }
        Ok(Value::Symbol(name))
    }

    /// Adds a method to a class, or replaces the one it has.
    pub(crate) fn add_method(&mut self, class: &Rc<Class>, name: Symbol, method: Method) -> Result<()> {
        if class.is_frozen.get() {
            let text = self.inspect(&Value::Class(Rc::clone(class)))?;
            return self.raise_named("FrozenError", format!("can't modify frozen class: {text}"));
        }
        self.check_patch(class, name)?;
        class.methods.borrow_mut().insert(name, method);
        self.world.class_changed(class, Some(name));
        let (hook, object) = match Vm::attached(class) {
            Some(object) => (names::SINGLETON_METHOD_ADDED, object),
            None => (names::METHOD_ADDED, Value::Class(Rc::clone(class))),
        };
        self.call_hook(&object, hook, Value::Symbol(name))
    }

    /// Rejects changes of methods that the interpreter uses without looking them up.
    fn check_patch(&mut self, class: &Rc<Class>, name: Symbol) -> Result<()> {
        if self.is_of_one_hash(class) {
            let is_own = name != names::EACH_PAIR && self.lookup(&self.world.core.hash, name).is_some();
            return if is_own { unsupported(format!("replacing Hash#{name} of one hash")) } else { Ok(()) };
        }
        if !class.is_builtin() {
            return Ok(());
        }
        let is_fundamental = match &*name.name() {
            "==" | "!" | "!=" | "===" | "=~" | "<=>" | "eql?" | "hash" | "equal?" | "to_s" | "to_str"
            | "to_ary" | "to_a" | "inspect" | "each" | "nil?" | "is_a?" | "class" | "respond_to?"
            | "initialize" | "new" | "call" | "method_missing" | "object_id" | "freeze" | "frozen?"
            | "dup" | "coerce" | "to_proc" => true,
            other => !other.starts_with(|first: char| first.is_alphabetic() || first == '_'),
        };
        let core = &self.world.core;
        let is_core = [
            &core.nil,
            &core.true_,
            &core.false_,
            &core.integer,
            &core.float,
            &core.symbol,
            &core.string,
            &core.array,
            &core.hash,
            &core.range,
            &core.regexp,
            &core.match_data,
            &core.proc,
            &core.module,
            &core.class,
            &self.world.object,
        ]
        .iter()
        .any(|it| Rc::ptr_eq(it, class));
        let is_root = matches!(
            &**class.name.borrow(),
            "Kernel" | "BasicObject" | "Comparable" | "Enumerable" | "Numeric"
        );
        let exists = self.lookup(class, name).is_some();
        if is_fundamental && (is_core || is_root) && exists {
            return unsupported(format!("replacing {}#{name}", class.display_name()));
        }
        Ok(())
    }

    /// Whether a class has the methods of one hash alone. Built-in methods of hashes do not look up those that they use,
    /// except for `each_pair`, which none uses.
    fn is_of_one_hash(&self, class: &Rc<Class>) -> bool {
        class.kind == ClassKind::Singleton
            && class.superclass.as_ref().is_some_and(|it| Rc::ptr_eq(it, &self.world.core.hash))
    }

    /// Calls a hook such as `inherited` if there is one in Ruby.
    pub(crate) fn call_hook(&mut self, receiver: &Value, hook: Symbol, argument: Value) -> Result<()> {
        let Some(entry) = self.find_entry(receiver, hook) else { return Ok(()) };
        if matches!(entry.method.body, MethodBody::Native(_)) {
            return Ok(());
        }
        self.invoke(&entry, receiver, hook, &[argument], None, None)?;
        Ok(())
    }

    pub(super) fn eval_class(&mut self, it: &ClassExpr, context: &Rc<Context>) -> Result {
        self.line = it.line;
        let class = match &it.kind {
            ClassExprKind::Class { path, superclass } => {
                let superclass = match superclass {
                    Some(expr) => match self.eval(expr, context)? {
                        Value::Class(it) if it.kind == ClassKind::Class => Some(it),
                        _ => return self.type_error("superclass must be a Class"),
                    },
                    None => None,
                };
                self.open_class(path, superclass, context)?
            }
            ClassExprKind::Module { path } => self.open_module(path, context)?,
            ClassExprKind::Singleton { object } => {
                let object = self.eval(object, context)?;
                self.singleton_class(&object)?
            }
        };
        let lexical =
            Rc::new(Lexical { module: Rc::clone(&class), parent: Some(Rc::clone(&context.frame.lexical)) });
        let invocation = Invocation {
            code: &it.body,
            self_value: Value::Class(Rc::clone(&class)),
            method: None,
            block: None,
            lexical,
            definee: class,
        };
        self.invoke_code(invocation, &[], None)
    }

    /// The class or module of a path, if it exists.
    fn existing(
        &mut self,
        path: &ConstantPath,
        module: &Rc<Class>,
        context: &Rc<Context>,
    ) -> Result<Option<Value>> {
        match path.scope {
            ConstantScope::Lexical if context.frame.lexical.parent.is_none() => {
                let object = Rc::clone(&self.world.object);
                match self.constant_of(module, path.name)? {
                    Some(value) => Ok(Some(value)),
                    None => self.constant_of(&object, path.name),
                }
            }
            _ => self.constant_of(module, path.name),
        }
    }

    fn open_class(
        &mut self,
        path: &ConstantPath,
        superclass: Option<Rc<Class>>,
        context: &Rc<Context>,
    ) -> Result<Rc<Class>> {
        let module = self.constant_owner(path, context)?;
        match self.existing(path, &module, context)? {
            Some(Value::Class(class)) if class.kind == ClassKind::Class => {
                if let (Some(given), Some(own)) = (&superclass, &class.superclass)
                    && !Rc::ptr_eq(given, own)
                {
                    return self.type_error(format!("superclass mismatch for class {}", path.name));
                }
                return Ok(class);
            }
            Some(_) => return self.type_error(format!("{} is not a class", path.name)),
            None => {}
        }
        let superclass = superclass.unwrap_or_else(|| Rc::clone(&self.world.object));
        self.check_unknown_constant(&module, path.name)?;
        let class =
            self.subclass(&superclass, &self.qualified_name(&module, path.name), Some(Rc::clone(&module)))?;
        module.constants.borrow_mut().insert(path.name, Value::Class(Rc::clone(&class)));
        self.call_hook(&Value::Class(superclass), names::INHERITED, Value::Class(Rc::clone(&class)))?;
        Ok(class)
    }

    /// Creates a class.
    pub(crate) fn subclass(
        &mut self,
        superclass: &Rc<Class>,
        name: &str,
        parent: Option<Rc<Class>>,
    ) -> Result<Rc<Class>> {
        let core = &self.world.core;
        let refused = [
            &core.nil,
            &core.true_,
            &core.false_,
            &core.integer,
            &core.float,
            &core.symbol,
            &core.string,
            &core.array,
            &core.hash,
            &core.range,
            &core.regexp,
            &core.match_data,
            &core.proc,
            &core.module,
            &core.class,
        ];
        if superclass.depth() >= SUPERCLASSES {
            return exhausted("a class of the Ruby code has too many superclasses");
        }
        if superclass.kind == ClassKind::Singleton {
            return self.type_error("can't make subclass of singleton class");
        }
        if Rc::ptr_eq(superclass, &core.class) {
            return self.type_error("can't make subclass of Class");
        }
        if superclass.ancestors().iter().any(|it| {
            refused.iter().any(|other| Rc::ptr_eq(it, other)) && !Rc::ptr_eq(it, &self.world.object)
        }) {
            return unsupported(format!("a subclass of {}", superclass.display_name()));
        }
        self.world.allocate(CLASS)?;
        Ok(self.world.new_class(name, ClassKind::Class, Some(Rc::clone(superclass)), parent))
    }

    fn open_module(&mut self, path: &ConstantPath, context: &Rc<Context>) -> Result<Rc<Class>> {
        let module = self.constant_owner(path, context)?;
        match self.existing(path, &module, context)? {
            Some(Value::Class(found)) if found.kind == ClassKind::Module => return Ok(found),
            Some(_) => return self.type_error(format!("{} is not a module", path.name)),
            None => {}
        }
        self.check_unknown_constant(&module, path.name)?;
        let name = self.qualified_name(&module, path.name);
        let new = self.new_module(name, Some(Rc::clone(&module)))?;
        module.constants.borrow_mut().insert(path.name, Value::Class(Rc::clone(&new)));
        Ok(new)
    }

    /// Creates a module.
    pub(crate) fn new_module(
        &mut self,
        name: impl Into<String>,
        parent: Option<Rc<Class>>,
    ) -> Result<Rc<Class>> {
        let count = self.world.modules.get() + 1;
        if count > MODULES {
            return exhausted("the Ruby code makes too many modules");
        }
        self.world.modules.set(count);
        self.world.allocate(CLASS)?;
        Ok(self.world.new_class(name, ClassKind::Module, None, parent))
    }

    /// Rejects the definition of a class that exists in real Ruby and would be reopened.
    fn check_unknown_constant(&mut self, module: &Rc<Class>, name: Symbol) -> Result<()> {
        let full = self.qualified_name(module, name);
        match super::known::is_known_class(&full) {
            true => unsupported(full),
            false => Ok(()),
        }
    }

    /// Evaluates `alias new old`.
    pub(crate) fn alias_method(&mut self, class: &Rc<Class>, new: Symbol, old: Symbol) -> Result<()> {
        let mut found = self.lookup(class, old);
        if found.is_none() && class.kind == ClassKind::Module {
            found = self.lookup(&Rc::clone(&self.world.object), old);
        }
        let Some(entry) = found else { return self.undefined_method(class, old) };
        self.add_method(class, new, entry.method.clone())
    }

    /// Raises `NameError` for a method that a class does not have.
    pub(crate) fn undefined_method<T>(&mut self, class: &Rc<Class>, name: Symbol) -> Result<T> {
        self.check_known_instance(class, name)?;
        let kind = if class.kind == ClassKind::Module { "module" } else { "class" };
        let text = self.inspect(&Value::Class(Rc::clone(class)))?;
        let message = format!("undefined method `{name}' for {kind} `{text}'");
        self.raise_name("NameError", &Value::Class(Rc::clone(class)), name, message)
    }

    /// Evaluates `undef name`.
    pub(crate) fn undefine_method(&mut self, class: &Rc<Class>, name: Symbol) -> Result<()> {
        if self.lookup(class, name).is_none() {
            return self.undefined_method(class, name);
        }
        self.add_method(class, name, Method { body: MethodBody::Undefined, visibility: Visibility::Public })
    }

    /// Evaluates `include module`.
    pub(crate) fn include_module(&mut self, class: &Rc<Class>, module: &Rc<Class>) -> Result<()> {
        if module.ancestors().iter().any(|it| Rc::ptr_eq(it, class)) {
            return self.argument_error("cyclic include detected");
        }
        let is_included = class.ancestors().iter().any(|it| Rc::ptr_eq(it, module));
        if !is_included {
            class.included.borrow_mut().insert(0, Rc::clone(module));
            self.modules_changed(class, module)?;
        }
        Ok(())
    }

    /// Evaluates `prepend module`.
    pub(crate) fn prepend_module(&mut self, class: &Rc<Class>, module: &Rc<Class>) -> Result<()> {
        if module.ancestors().iter().any(|it| Rc::ptr_eq(it, class)) {
            return self.argument_error("cyclic prepend detected");
        }
        if class.is_builtin() {
            return unsupported(format!("prepending to {}", class.display_name()));
        }
        let is_prepended = class.prepended.borrow().iter().any(|it| Rc::ptr_eq(it, module));
        if !is_prepended {
            class.prepended.borrow_mut().insert(0, Rc::clone(module));
            self.modules_changed(class, module)?;
        }
        Ok(())
    }

    fn modules_changed(&mut self, class: &Rc<Class>, module: &Rc<Class>) -> Result<()> {
        let names: Vec<Symbol> = module.methods.borrow().keys().copied().collect();
        for name in names {
            self.check_patch(class, name)?;
        }
        self.world.class_changed(class, None);
        Ok(())
    }

    /// Changes the visibility of a method.
    pub(crate) fn set_visibility(
        &mut self,
        class: &Rc<Class>,
        name: Symbol,
        visibility: Visibility,
    ) -> Result<()> {
        let mut found = self.lookup(class, name);
        if found.is_none() && class.kind == ClassKind::Module {
            found = self.lookup(&Rc::clone(&self.world.object), name);
        }
        let Some(entry) = found else { return self.undefined_method(class, name) };
        let method = Method { body: entry.method.body.clone(), visibility };
        class.methods.borrow_mut().insert(name, method);
        self.world.class_changed(class, Some(name));
        Ok(())
    }

    /// The frame of the innermost code in Ruby, for `private` and its like.
    pub(crate) fn visibility_cells(&self) -> Option<(&Cell<Visibility>, &Cell<bool>)> {
        let frame = &self.stack.last()?.context.frame;
        Some((&frame.visibility, &frame.is_module_function))
    }
}
