//! Stands in for parts of pcore that are being written.
#![allow(missing_docs, unreachable_pub, reason = "stands in for parts of pcore that are being written")]
pub mod ops {
    use marotte_pcore::{dialect::Dialect, value::Value};
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Strictness {
        Off,
        Warning,
        Error,
    }
    #[derive(Clone, Debug)]
    pub struct Captures(pub Vec<Option<marotte_text::Str>>);
    impl Captures {
        pub fn get(&self, i: usize) -> Option<Value> {
            Some(self.0.get(i)?.clone().map_or(Value::Undef, Value::String))
        }
    }
    #[derive(Clone, Debug)]
    pub struct OperationError(pub String);
    impl std::fmt::Display for OperationError {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&self.0)
        }
    }
    impl OperationError {
        pub fn issue(&self) -> &'static str {
            "runtime-error"
        }
    }
    pub fn splat(v: &Value) -> Vec<Value> {
        match v {
            Value::Undef => vec![],
            Value::Array(a) => a.to_vec(),
            o => vec![o.clone()],
        }
    }
    pub struct Matched {
        pub captures: Option<Captures>,
    }
    pub fn option_matches(d: &Dialect, v: &Value, o: &Value) -> Result<Option<Matched>, OperationError> {
        Ok(marotte_pcore::relation::equal(d, v, o).then_some(Matched { captures: None }))
    }
    #[derive(Clone, Copy, Debug)]
    pub enum BinaryOperator {
        Add,
        Subtract,
        Multiply,
        Divide,
        Modulo,
        ShiftLeft,
        ShiftRight,
        Equal,
        NotEqual,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        In,
        Match,
        NotMatch,
    }
}
pub mod format {
    use marotte_pcore::{dialect::Dialect, value::Value};
    pub fn interpolated(_: &Dialect, value: &Value) -> String {
        match value {
            Value::Undef => String::new(),
            Value::String(s) => s.to_string(),
            other => marotte_pcore::print::literal(other),
        }
    }
}
pub mod new {
    use marotte_pcore::{dialect::Dialect, time::*, types::Type, value::Value};
    pub struct Context<'a> {
        pub dialect: &'a Dialect,
        pub outside: &'a dyn Outside,
    }
    pub trait Outside {
        fn now(&self) -> Timestamp;
        fn local_offset(&self) -> LocalOffset;
        fn parse_type(&self, text: &str) -> Result<Type, String>;
    }
    pub fn new(_context: &Context<'_>, _it: &Type, _arguments: &[Value]) -> Result<Value, String> {
        Err("stub".into())
    }
}
