//! Evaluation of expressions.

use std::rc::Rc;
use std::sync::Arc;

use marotte_pcore::value::{Unknown, Value as PuppetValue};

use super::Vm;
use super::frame::Context;
use crate::program::tree::{
    Append, DynamicRegexp, Element, Entry, Expr, Line, MatchVariable, Part, StringLiteral,
};
use crate::puppet::opaque;
use crate::stop::{Result, Stop, Unsupported, unsupported};
use crate::symbol::names;
use crate::value::{ArrayObject, Encoding, HashObject, Proc, ProcBody, Range, RegexpObject, StringObject};
use crate::{Symbol, Value};

/// The stack that must be left for the evaluation of one more level.
pub(super) const RED_ZONE: usize = 192 << 10;
/// The amount of stack that is added otherwise.
pub(super) const MORE_STACK: usize = 2 << 20;

/// The memory for an array, a hash and an entry of a hash, in bytes.
const ARRAY: usize = 80;
const HASH: usize = 200;
const ENTRY: usize = 56;

impl Vm<'_> {
    /// Evaluates an expression.
    pub(super) fn eval(&mut self, expr: &Expr, context: &Rc<Context>) -> Result {
        match expr {
            Expr::Nil => Ok(Value::Nil),
            Expr::True => Ok(Value::Bool(true)),
            Expr::False => Ok(Value::Bool(false)),
            Expr::SelfValue => Ok(context.self_value().clone()),
            Expr::Integer(it) => Ok(Value::Integer(*it)),
            Expr::Float(it) => Ok(Value::Float(*it)),
            Expr::Symbol(it) => Ok(Value::Symbol(*it)),
            Expr::String(it) => self.string_literal(it),
            Expr::Local(slot) => Ok(context.local(*slot)),
            Expr::Outer { depth, slot } => Ok(context.outer(*depth).local(*slot)),
            Expr::SetLocal { slot, value } => {
                let value = self.eval(value, context)?;
                context.set_local(*slot, value.clone());
                Ok(value)
            }
            Expr::SetOuter { depth, slot, value } => {
                let value = self.eval(value, context)?;
                context.outer(*depth).set_local(*slot, value.clone());
                Ok(value)
            }
            Expr::InstanceVariable(name) => self.instance_variable(context.self_value(), *name),
            Expr::Call(it) => self.eval_call(it, context),
            Expr::Append(it) => self.eval_append(it, context),
            Expr::Sequence(items) => {
                let mut last = Value::Nil;
                for item in items {
                    last = self.eval(item, context)?;
                }
                Ok(last)
            }
            Expr::If(it) => {
                let condition = self.eval(&it.condition, context)?;
                let branch = match self.is_true(&condition)? {
                    true => &it.then,
                    false => &it.otherwise,
                };
                self.eval(branch, context)
            }
            Expr::And(it) => match self.eval(&it.0, context)? {
                left if self.is_true(&left)? => self.eval(&it.1, context),
                left => Ok(left),
            },
            Expr::Or(it) => match self.eval(&it.0, context)? {
                left if self.is_true(&left)? => Ok(left),
                _ => self.eval(&it.1, context),
            },
            Expr::Not(it) => match self.eval(it, context)? {
                value @ Value::Object(_) => self.send(&value, names::NOT, &[], None, None),
                value => Ok(Value::Bool(!value.is_truthy())),
            },
            Expr::Interpolation(parts) => self.interpolation(parts, context),
            _ => stacker::maybe_grow(RED_ZONE, MORE_STACK, || self.eval_more(expr, context)),
        }
    }

    /// Evaluates the less frequent expressions, and those that take more stack.
    #[inline(never)]
    fn eval_more(&mut self, expr: &Expr, context: &Rc<Context>) -> Result {
        match expr {
            Expr::BigInteger(it) => Ok(Value::big(it.clone())),
            Expr::DynamicSymbol(parts) => {
                let text = self.interpolate(parts, context)?;
                let name = text.text().map(|it| self.world.intern(&it));
                match name {
                    Some(symbol) => Ok(Value::Symbol(symbol?)),
                    None => unsupported("a symbol that is not valid UTF-8"),
                }
            }
            Expr::Regexp(it) => {
                let regexp = RegexpObject::new(it.regexp.clone(), it.source.clone(), it.options);
                Ok(Value::Regexp(Rc::new(match it.has_no_encoding {
                    true => regexp.without_encoding(),
                    false => regexp,
                })))
            }
            Expr::DynamicRegexp(it) => self.dynamic_regexp(it, context),
            Expr::Array(elements) => {
                let items = self.eval_elements(elements, context)?;
                self.world.allocate(ARRAY + items.len() * size_of::<Value>())?;
                Ok(Value::array(items))
            }
            Expr::Hash(entries) => Ok(Value::Hash(self.eval_entries(entries, context)?)),
            Expr::Range(it) => {
                let begin = self.eval(&it.begin, context)?;
                let end = self.eval(&it.end, context)?;
                self.range(begin, end, it.is_exclusive)
            }
            Expr::ClassVariable(name) => self.class_variable(*name, context),
            Expr::GlobalVariable(name) => self.global_variable(*name),
            Expr::MatchVariable(it) => Ok(self.match_variable(*it, context)),
            Expr::Constant(path) => self.eval_constant(path, context),
            Expr::Assign(it) => self.eval_assign(it, context),
            Expr::MultipleAssign(it) => self.eval_multiple_assign(it, context),
            Expr::OperatorAssign(it) => self.eval_operator_assign(it, context),
            Expr::MatchAssign(it) => self.eval_match_assign(it, context),
            Expr::Super(it) => self.eval_super(it, context),
            Expr::Yield(it) => self.eval_yield(it, context),
            Expr::Defined(it) => self.eval_defined(&it.value, context),
            Expr::While(it) => self.eval_while(it, context),
            Expr::For(it) => self.eval_for(it, context),
            Expr::Case(it) => self.eval_case(it, context),
            Expr::CaseIn(it) => self.eval_case_in(it, context),
            Expr::Begin(it) => self.eval_begin(it, context),
            Expr::Lambda(code) => Ok(Value::Proc(Rc::new(Proc {
                body: ProcBody::Code {
                    code: std::sync::Arc::clone(code),
                    context: Rc::clone(context),
                    tag: 0,
                },
                is_lambda: true,
            }))),
            Expr::Define(it) => self.eval_define(it, context),
            Expr::Class(it) => self.eval_class(it, context),
            Expr::Alias(new, old) => {
                let class = Rc::clone(&context.frame.definee);
                self.alias_method(&class, *new, *old)?;
                Ok(Value::Nil)
            }
            Expr::AliasGlobal(new, old) => {
                self.world.global_aliases.borrow_mut().insert(*new, *old);
                Ok(Value::Nil)
            }
            Expr::Undefine(names) => {
                for name in names {
                    match self.eval(name, context)? {
                        Value::Symbol(name) => {
                            let class = Rc::clone(&context.frame.definee);
                            self.undefine_method(&class, name)?;
                        }
                        _ => return unsupported("undef"),
                    }
                }
                Ok(Value::Nil)
            }
            Expr::Break(value) => {
                let value = self.eval_optional(value.as_deref(), context)?;
                Err(Box::new(Stop::Break { tag: context.break_tag, value }))
            }
            Expr::Next(value) => {
                let value = self.eval_optional(value.as_deref(), context)?;
                Err(Box::new(Stop::Next(value)))
            }
            Expr::Return(value) => {
                let value = self.eval_optional(value.as_deref(), context)?;
                Err(Box::new(Stop::Return { tag: context.return_tag, value }))
            }
            Expr::LoopBreak(value) => {
                let value = self.eval_optional(value.as_deref(), context)?;
                Err(Box::new(Stop::Break { tag: super::control::LOOP, value }))
            }
            Expr::LoopNext => Err(Box::new(Stop::Next(Value::Nil))),
            Expr::Redo => Err(Box::new(Stop::Redo)),
            Expr::Retry => Err(Box::new(Stop::Retry)),
            Expr::File => Ok(Value::string(context.frame.code.source.path.to_string())),
            Expr::Unsupported(it) => self.unsupported_at(&it.0, it.1),
            // All others are evaluated above.
            _ => self.eval(expr, context),
        }
    }

    /// Ends the evaluation at a construct of the program.
    pub(super) fn unsupported_at<T>(&mut self, construct: &str, line: Line) -> Result<T> {
        self.line = line;
        Err(Box::new(Stop::Unsupported(Unsupported::new(construct))))
    }

    pub(super) fn eval_optional(&mut self, expr: Option<&Expr>, context: &Rc<Context>) -> Result {
        expr.map_or(Ok(Value::Nil), |it| self.eval(it, context))
    }

    fn string_literal(&mut self, literal: &StringLiteral) -> Result {
        self.world.allocate(literal.bytes.len())?;
        let string = StringObject::new(literal.bytes.to_vec(), literal.encoding);
        if literal.is_frozen {
            string.freeze();
        }
        Ok(Value::String(Rc::new(string)))
    }

    /// The text of a string with interpolations, which is unknown if a part is.
    fn interpolation(&mut self, parts: &[Part], context: &Rc<Context>) -> Result {
        let text = self.join_parts(parts, context)?;
        Ok(match text {
            Ok(text) => Value::String(Rc::new(text)),
            Err(by) => opaque::wrap(self, PuppetValue::Unknown(by.text())),
        })
    }

    /// Joins the parts of a string that must be known.
    ///
    /// # Errors
    /// If a part raises an exception, or is not known.
    pub(super) fn interpolate(&mut self, parts: &[Part], context: &Rc<Context>) -> Result<StringObject> {
        self.join_parts(parts, context)?.map_err(|by| Box::new(Stop::Unknown(by)))
    }

    /// Joins the parts of a string. The inner error is an unknown value among them.
    fn join_parts(
        &mut self,
        parts: &[Part],
        context: &Rc<Context>,
    ) -> Result<std::result::Result<StringObject, Arc<Unknown>>> {
        let mut bytes = Vec::with_capacity(64);
        let mut encoding = Encoding::Utf8;
        let mut unknown = None;
        for part in parts {
            match part {
                Part::Text(text) => bytes.extend_from_slice(text),
                Part::Expr(expr) => {
                    let value = self.eval(expr, context)?;
                    match self.find_unknown(&value)? {
                        Some(by) => unknown = Some(by),
                        None => {
                            if let Err(stop) = self.append_text(&mut bytes, &mut encoding, &value) {
                                match *stop {
                                    Stop::Unknown(by) => unknown = Some(by),
                                    stop => return Err(Box::new(stop)),
                                }
                            }
                        }
                    }
                }
            }
        }
        self.world.allocate(bytes.len())?;
        Ok(match unknown {
            Some(by) => Err(by),
            None => Ok(StringObject::new(bytes, encoding)),
        })
    }

    /// Appends the text of a value.
    fn append_text(&mut self, bytes: &mut Vec<u8>, encoding: &mut Encoding, value: &Value) -> Result<()> {
        match value {
            Value::String(it) => {
                let added = it.bytes();
                if it.encoding() != *encoding && !added.is_ascii() {
                    if !bytes.is_ascii() {
                        let (left, right) = (encoding.name(), it.encoding().name());
                        let message = format!("incompatible character encodings: {left} and {right}");
                        drop(added);
                        return self.raise_named("Encoding::CompatibilityError", message);
                    }
                    *encoding = it.encoding();
                }
                bytes.extend_from_slice(&added);
            }
            Value::Integer(it) if !self.world.core.integer.is_patched.get() => {
                use std::io::Write as _;
                // Writing to a vector does not fail.
                let _ = write!(bytes, "{it}");
            }
            Value::Symbol(it) if !self.world.core.symbol.is_patched.get() => {
                bytes.extend_from_slice(it.name().as_bytes());
            }
            Value::Nil if !self.world.core.nil.is_patched.get() => {}
            _ => {
                let text = Value::String(self.to_s(value)?);
                self.append_text(bytes, encoding, &text)?;
            }
        }
        Ok(())
    }

    /// Appends to the output of a template.
    fn eval_append(&mut self, append: &Append, context: &Rc<Context>) -> Result {
        self.line = append.line;
        let value = match &append.value {
            Part::Text(_) => None,
            Part::Expr(expr) => Some(self.eval(expr, context)?),
        };
        let buffer = context.outer(append.depth).local(append.slot);
        let Value::String(output) = &buffer else {
            return unsupported("a template that changes `_erbout`");
        };
        if self.world.core.string.is_patched.get() && self.world.has_changed_operators.get() {
            return unsupported("a template with a changed String#<<");
        }
        if output.is_frozen() {
            self.ensure_not_frozen(&buffer)?;
        }
        match (&append.value, value) {
            (Part::Text(text), _) => {
                self.world.allocate(text.len())?;
                output.change(|it| it.extend_from_slice(text));
            }
            (_, Some(value)) => {
                self.line = append.line;
                let text = match &value {
                    Value::String(it) => Rc::clone(it),
                    _ => self.to_s(&value)?,
                };
                let mut encoding = output.encoding();
                let length = text.bytes().len();
                self.world.allocate(length)?;
                // The same string may be appended to itself.
                let added = match Rc::ptr_eq(&text, output) {
                    true => Rc::new(StringObject::new(text.bytes().clone(), text.encoding())),
                    false => text,
                };
                let mut bytes = output.change(std::mem::take);
                let result = self.append_text(&mut bytes, &mut encoding, &Value::String(added));
                output.change(|it| *it = bytes);
                output.set_encoding(encoding);
                result?;
            }
            (Part::Expr(_), None) => {}
        }
        Ok(buffer)
    }

    fn dynamic_regexp(&mut self, literal: &DynamicRegexp, context: &Rc<Context>) -> Result {
        self.line = literal.line;
        let mut source = String::new();
        for part in &literal.parts {
            match part {
                Part::Text(text) => source.push_str(&String::from_utf8_lossy(text)),
                Part::Expr(expr) => {
                    let value = self.eval(expr, context)?;
                    let text = self.to_s(&value)?;
                    match text.text() {
                        Some(text) => source.push_str(&text),
                        None => return unsupported("a regular expression with binary text"),
                    }
                }
            }
        }
        self.new_regexp(source, literal.options)
    }

    /// The elements of an array or the positional arguments of a call.
    pub(super) fn eval_elements(
        &mut self,
        elements: &[Element],
        context: &Rc<Context>,
    ) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(elements.len());
        for element in elements {
            match element {
                Element::Value(expr) => values.push(self.eval(expr, context)?),
                Element::Splat(expr) => {
                    let value = self.eval(expr, context)?;
                    let items = self.splat(&value)?;
                    self.world.spend(items.len())?;
                    values.extend(items);
                }
            }
        }
        Ok(values)
    }

    /// The values that `*value` expands to.
    pub(crate) fn splat(&mut self, value: &Value) -> Result<Vec<Value>> {
        self.check_is_known(value)?;
        match value {
            Value::Array(it) => Ok(it.snapshot()),
            Value::Nil => Ok(Vec::new()),
            Value::Hash(_) | Value::Range(_) | Value::Object(_)
                if self.responds_to_symbol(value, names::TO_A) =>
            {
                match self.send(value, names::TO_A, &[], None, None)? {
                    Value::Array(it) => Ok(it.snapshot()),
                    Value::Nil => Ok(vec![value.clone()]),
                    other => {
                        let class = self.conversion_name(value);
                        let given = self.conversion_name(&other);
                        self.type_error(format!(
                            "can't convert {class} to Array ({class}#to_a gives {given})"
                        ))
                    }
                }
            }
            _ => Ok(vec![value.clone()]),
        }
    }

    /// The entries of a hash or the keyword arguments of a call.
    pub(super) fn eval_entries(
        &mut self,
        entries: &[Entry],
        context: &Rc<Context>,
    ) -> Result<Rc<HashObject>> {
        let hash = Rc::new(HashObject::default());
        self.world.allocate(HASH + entries.len() * ENTRY)?;
        for entry in entries {
            match entry {
                Entry::Pair(key, value) => {
                    let key = self.eval(key, context)?;
                    let value = self.eval(value, context)?;
                    self.check_key(&key)?;
                    hash.insert(key, value);
                }
                Entry::Splat(expr) => match self.eval(expr, context)? {
                    Value::Hash(it) => {
                        for (key, value) in it.snapshot() {
                            hash.insert(key, value);
                        }
                    }
                    Value::Nil => {
                        return self.type_error("no implicit conversion of nil into Hash");
                    }
                    other => {
                        self.check_is_known(&other)?;
                        let other = self.expect_hash(&other)?;
                        for (key, value) in other.snapshot() {
                            hash.insert(key, value);
                        }
                    }
                },
            }
        }
        Ok(hash)
    }

    /// A range, whose ends must be comparable.
    pub(crate) fn range(&mut self, begin: Value, end: Value, exclusive: bool) -> Result {
        self.check_is_known(&begin)?;
        self.check_is_known(&end)?;
        let is_comparable = match (&begin, &end) {
            (Value::Integer(_), Value::Integer(_)) | (Value::Nil, _) | (_, Value::Nil) => true,
            (Value::String(_), Value::String(_)) => true,
            _ => self.compare(&begin, &end)?.is_some(),
        };
        if !is_comparable {
            return self.argument_error("bad value for range");
        }
        Ok(Value::Range(Rc::new(Range { begin, end, exclusive })))
    }

    fn match_variable(&mut self, variable: MatchVariable, context: &Rc<Context>) -> Value {
        let last = context.frame.last_match.borrow().clone();
        let Some(last) = last else { return Value::Nil };
        let part = |range: std::ops::Range<usize>| {
            let bytes = last.text.bytes().get(range).unwrap_or_default().to_vec();
            Value::String(Rc::new(StringObject::new(bytes, last.text.encoding())))
        };
        let whole = last.groups.first().cloned().flatten().unwrap_or_default();
        match variable {
            MatchVariable::Last => Value::Match(last),
            MatchVariable::Whole => last.group(0),
            MatchVariable::Before => part(0..whole.start),
            MatchVariable::After => part(whole.end..last.text.bytes().len()),
            MatchVariable::LastGroup => {
                let group = last.groups.iter().skip(1).rposition(Option::is_some);
                group.map_or(Value::Nil, |it| last.group(it + 1))
            }
            MatchVariable::Group(0) => Value::Nil,
            MatchVariable::Group(index) => last.group(index),
        }
    }

    /// The last match of the innermost method in Ruby: `$~`.
    pub fn last_match(&self) -> Option<Rc<crate::value::MatchData>> {
        let activation = self.stack.last()?;
        activation.context.frame.last_match.borrow().clone()
    }

    /// Sets `$~` of the innermost method in Ruby, which is the one that called the native method.
    pub fn set_last_match(&mut self, last: Option<Rc<crate::value::MatchData>>) {
        if let Some(activation) = self.stack.last() {
            *activation.context.frame.last_match.borrow_mut() = last;
        }
    }

    /// The array that a value spreads to, if it is one or converts to one.
    pub(super) fn spread(&mut self, value: &Value) -> Result<Option<Rc<ArrayObject>>> {
        self.check_is_known(value)?;
        match value {
            Value::Array(it) => Ok(Some(Rc::clone(it))),
            Value::Object(_) if self.responds_to_symbol(value, names::TO_ARY) => {
                match self.send(value, names::TO_ARY, &[], None, None)? {
                    Value::Array(it) => Ok(Some(it)),
                    Value::Nil => Ok(None),
                    _ => {
                        let class = self.conversion_name(value);
                        self.type_error(format!("can't convert {class} to Array"))
                    }
                }
            }
            _ => Ok(None),
        }
    }

    /// Rejects values that cannot be keys.
    pub(crate) fn check_key(&mut self, key: &Value) -> Result<()> {
        self.check_is_known_in_full(key)?;
        crate::builtins::support::ensure_key(self, key)
    }

    /// The symbol of a symbol or string argument: a name of a method, variable or constant.
    ///
    /// # Errors
    /// `TypeError` for other values.
    pub fn expect_name(&mut self, value: &Value) -> Result<Symbol> {
        match value {
            Value::Symbol(it) => Ok(*it),
            Value::String(it) => match it.text().map(|it| self.world.intern(&it)) {
                Some(symbol) => symbol,
                None => unsupported("a name that is not valid UTF-8"),
            },
            _ => {
                let text = self.inspect(value)?;
                self.type_error(format!("{text} is not a symbol nor a string"))
            }
        }
    }
}
