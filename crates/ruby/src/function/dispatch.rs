//! `dispatch` and `argument_mismatch`.

use marotte_text::Str;

use super::model::{Block, Count, Dispatch, Injection, Parameter};
use crate::evaluate::{Scope, Value, Visit};
use crate::syntax::{Call, Expr, ExprKind};

/// The data read from a signature's declaration.
pub(super) struct Read {
    pub(super) dispatch: Dispatch,
    pub(super) complete: bool,
}

/// Reads the signature that a call declares. `None` if its method is unknown.
pub(super) fn declared(scope: &mut Scope<'_>, call: &Call, mismatch: bool) -> Option<Read> {
    let method = match &call.arguments[..] {
        [method] => scope.value(method).text()?.clone(),
        _ => return None,
    };
    let dispatch = Dispatch {
        method,
        parameters: Vec::new(),
        block: None,
        return_type: None,
        mismatch,
        injected: Vec::new(),
    };
    let mut reader = Read { dispatch, complete: call.block.is_some() };
    if let Some(block) = &call.block {
        scope.walk(&block.body, &mut reader);
    }
    Some(reader)
}

impl Visit for Read {
    fn statement(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(call) if call.receiver.is_none() => {
                let arguments = scope.list(&call.arguments);
                match arguments {
                    Some(arguments) => self.call(&call.method, &arguments),
                    None => self.complete = false,
                }
            }
            ExprKind::Name(name) => self.call(name, &[]),
            ExprKind::String(_) | ExprKind::Symbol(_) | ExprKind::Nil => {}
            _ => {
                scope.forget(expr);
                self.complete = false;
            }
        }
    }
}

impl Read {
    fn call(&mut self, method: &str, arguments: &[Value]) {
        let injection = match method {
            "param" | "required_param" => return self.parameter(arguments, Count::Required),
            "optional_param" => return self.parameter(arguments, Count::Optional),
            "repeated_param" | "optional_repeated_param" => {
                return self.parameter(arguments, Count::Repeated);
            }
            "required_repeated_param" => return self.parameter(arguments, Count::RequiredRepeated),
            "block_param" | "required_block_param" => return self.block(arguments, false),
            "optional_block_param" => return self.block(arguments, true),
            "return_type" => return self.return_type(arguments),
            "scope_param" => Injection::Scope,
            "script_compiler_param" => Injection::ScriptCompiler,
            "cache_param" => Injection::Cache,
            "compiler_param" => Injection::CatalogCompiler,
            "pal_compiler_param" => Injection::Compiler,
            _ => return self.complete = false,
        };
        self.dispatch.injected.push(injection);
    }

    fn parameter(&mut self, arguments: &[Value], count: Count) {
        let [parameter_type, name] = arguments else { return self.complete = false };
        let parameter_type = self.type_text(parameter_type);
        let name = name.text().cloned().unwrap_or_default();
        self.dispatch.parameters.push(Parameter { name, parameter_type, count });
    }

    /// Reads `block_param` with a type and a name, a name, or nothing.
    fn block(&mut self, arguments: &[Value], optional: bool) {
        let (block_type, name) = match arguments {
            [] => (Some(Str::from("Callable")), "block".into()),
            [name] => (Some("Callable".into()), name.text().cloned().unwrap_or_default()),
            [block_type, name] => (self.type_text(block_type), name.text().cloned().unwrap_or_default()),
            _ => return self.complete = false,
        };
        self.dispatch.block = Some(Block { name, block_type, optional });
    }

    fn return_type(&mut self, arguments: &[Value]) {
        let [return_type] = arguments else { return self.complete = false };
        self.dispatch.return_type = self.type_text(return_type);
    }

    fn type_text(&mut self, value: &Value) -> Option<Str> {
        match value {
            Value::String(text) => Some(text.clone()),
            _ => {
                self.complete = false;
                None
            }
        }
    }
}
