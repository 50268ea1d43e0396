//! Activations of methods and blocks.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::program::tree::{BlockCode, Line, MethodCode, Slot};
use crate::value::{Class, MatchData, Proc, Visibility, free};
use crate::{Symbol, Value};

/// The local variables of one activation of a method or block.
pub(crate) type Locals = SmallVec<[Value; 6]>;

/// The surroundings in which a block or method was written: variables, `self`, modules for constants, the frame that
/// `return` and `break` leave.
#[derive(Debug)]
pub struct Context {
    /// The local variables of this method or block.
    pub(crate) locals: RefCell<Locals>,
    /// The method or block around this block.
    pub(crate) parent: Option<Rc<Context>>,
    /// The enclosing method.
    pub(crate) frame: Rc<Frame>,
    /// The block, unless the context is of a method.
    pub(crate) block: Option<Arc<BlockCode>>,
    /// The tag of the call that `break` ends; 0 if there is none.
    pub(crate) break_tag: u64,
    /// The tag of the method or lambda that `return` leaves.
    pub(crate) return_tag: u64,
}

/// An activation of a method, of the body of a class or of a file.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) tag: u64,
    pub(crate) self_value: Value,
    pub(crate) code: Arc<MethodCode>,
    /// The name by which the method was found, and the class or module that has it: for `super`.
    pub(crate) method: Option<(Symbol, Rc<Class>)>,
    /// The block that the method was called with.
    pub(crate) block: Option<Rc<Proc>>,
    pub(crate) lexical: Rc<Lexical>,
    /// The class to which `def` adds methods.
    pub(crate) definee: Rc<Class>,
    /// `$~`
    pub(crate) last_match: RefCell<Option<Rc<MatchData>>>,
    /// The visibility of the following `def`s of this class body.
    pub(crate) visibility: Cell<Visibility>,
    /// Whether the following `def`s also define methods of the module itself.
    pub(crate) is_module_function: Cell<bool>,
}

/// The modules around a piece of code, in which constants are looked up.
#[derive(Debug)]
pub struct Lexical {
    /// The innermost class or module; `Object` at the top level.
    pub(crate) module: Rc<Class>,
    /// The modules around it.
    pub(crate) parent: Option<Rc<Lexical>>,
}

/// An activation that is being evaluated.
#[derive(Debug)]
pub(crate) struct Activation {
    pub(crate) context: Rc<Context>,
    /// The line of the activation before, from which this one was called.
    pub(crate) caller_line: Line,
}

impl Context {
    /// The value of a local variable.
    pub(crate) fn local(&self, slot: Slot) -> Value {
        self.locals.borrow().get(slot as usize).cloned().unwrap_or(Value::Nil)
    }

    /// Sets a local variable.
    pub(crate) fn set_local(&self, slot: Slot, value: Value) {
        if let Some(place) = self.locals.borrow_mut().get_mut(slot as usize) {
            let _old = std::mem::replace(place, value);
        }
    }

    /// The context that is `depth` blocks further out.
    pub(crate) fn outer(self: &Rc<Context>, depth: u32) -> &Rc<Context> {
        let mut context = self;
        for _ in 0..depth {
            match &context.parent {
                Some(parent) => context = parent,
                None => break,
            }
        }
        context
    }

    /// The context of the enclosing method.
    pub(crate) fn root(self: &Rc<Context>) -> &Rc<Context> {
        let mut context = self;
        while let Some(parent) = &context.parent {
            context = parent;
        }
        context
    }

    /// `self`
    pub(crate) fn self_value(&self) -> &Value {
        &self.frame.self_value
    }
}

impl Frame {
    /// A copy of the frame with another `self` and another class for `def`: for `instance_eval` and `class_eval`.
    pub(crate) fn with_self(&self, self_value: Value, definee: Rc<Class>) -> Frame {
        Frame {
            tag: self.tag,
            self_value,
            code: Arc::clone(&self.code),
            method: self.method.clone(),
            block: self.block.clone(),
            lexical: Rc::clone(&self.lexical),
            definee,
            last_match: RefCell::new(self.last_match.borrow().clone()),
            visibility: Cell::new(Visibility::Public),
            is_module_function: Cell::new(false),
        }
    }
}

/// Blocks that refer to each other through their variables are freed without recursion.
impl Drop for Context {
    fn drop(&mut self) {
        let locals = std::mem::take(self.locals.get_mut());
        if locals.iter().any(Value::is_nested) {
            free(locals);
        }
    }
}
