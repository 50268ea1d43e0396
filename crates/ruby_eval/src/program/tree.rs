//! The resolved tree that the evaluation walks.

use std::sync::Arc;

use marotte_pcore::regexp::{Options, Regexp};
use marotte_text::Str;
use num_bigint::BigInt;

use crate::Symbol;
use crate::value::Encoding;

/// The index of a local variable among those of its method or block.
pub(crate) type Slot = u32;

/// A line of the source, from 1; 0 if it is not known. All lines are equal, so that programs are compared without their places:
/// code that shows a line reports to the host that it was read (`Host::reads_places`).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line(u32);

impl Line {
    /// A line by its number.
    pub(crate) fn new(number: u32) -> Line {
        Line(number)
    }

    /// The number of the line.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

impl PartialEq for Line {
    fn eq(&self, _: &Line) -> bool {
        true
    }
}

/// An expression. Everything in Ruby is one.
#[derive(Debug, PartialEq)]
pub(crate) enum Expr {
    Nil,
    True,
    False,
    SelfValue,
    Integer(i64),
    BigInteger(BigInt),
    Float(f64),
    Symbol(Symbol),
    /// A string literal: a new string each time, or a frozen one.
    String(StringLiteral),
    /// A string with interpolated parts.
    Interpolation(Box<[Part]>),
    /// `:"text #{…}"`
    DynamicSymbol(Box<[Part]>),
    Regexp(Box<RegexpLiteral>),
    DynamicRegexp(Box<DynamicRegexp>),
    Array(Box<[Element]>),
    Hash(Box<[Entry]>),
    Range(Box<RangeLiteral>),
    Local(Slot),
    /// A variable of a block or method around this one.
    Outer {
        depth: u32,
        slot: Slot,
    },
    SetLocal {
        slot: Slot,
        value: Box<Expr>,
    },
    SetOuter {
        depth: u32,
        slot: Slot,
        value: Box<Expr>,
    },
    InstanceVariable(Symbol),
    ClassVariable(Symbol),
    GlobalVariable(Symbol),
    /// `$~`, `$&`, `$1`, …
    MatchVariable(MatchVariable),
    Constant(Box<ConstantPath>),
    Assign(Box<Assign>),
    MultipleAssign(Box<MultipleAssign>),
    OperatorAssign(Box<OperatorAssign>),
    Call(Box<CallExpr>),
    /// `_erbout << text` in a template.
    Append(Box<Append>),
    Super(Box<SuperCall>),
    Yield(Box<YieldExpr>),
    And(Box<(Expr, Expr)>),
    Or(Box<(Expr, Expr)>),
    Not(Box<Expr>),
    Defined(Box<DefinedExpr>),
    If(Box<IfExpr>),
    While(Box<WhileExpr>),
    For(Box<ForExpr>),
    Case(Box<CaseExpr>),
    CaseIn(Box<CaseIn>),
    Sequence(Box<[Expr]>),
    Begin(Box<BeginExpr>),
    Lambda(Arc<BlockCode>),
    Define(Box<DefineMethod>),
    Class(Box<ClassExpr>),
    Alias(Symbol, Symbol),
    AliasGlobal(Symbol, Symbol),
    Undefine(Box<[Expr]>),
    Break(Option<Box<Expr>>),
    Next(Option<Box<Expr>>),
    Return(Option<Box<Expr>>),
    /// `break` of a `while` or `until` in the same body.
    LoopBreak(Option<Box<Expr>>),
    /// `next` of a `while` or `until` in the same body.
    LoopNext,
    Redo,
    Retry,
    /// `/(?<name>…)/ =~ value`, which assigns the local variable `name`.
    MatchAssign(Box<MatchAssign>),
    /// The path of the file.
    File,
    /// A construct that is not implemented.
    Unsupported(Box<(String, Line)>),
}

/// The text of a literal.
#[derive(Debug, PartialEq)]
pub(crate) struct StringLiteral {
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) encoding: Encoding,
    pub(crate) is_frozen: bool,
}

/// A part of a string with interpolation.
#[derive(Debug, PartialEq)]
pub(crate) enum Part {
    Text(Arc<[u8]>),
    Expr(Expr),
}

#[derive(Debug, PartialEq)]
pub(crate) struct RegexpLiteral {
    pub(crate) regexp: Regexp,
    pub(crate) source: String,
    pub(crate) options: Options,
    /// Whether it has the option `n`.
    pub(crate) has_no_encoding: bool,
}

#[derive(Debug, PartialEq)]
pub(crate) struct DynamicRegexp {
    pub(crate) parts: Box<[Part]>,
    pub(crate) options: Options,
    pub(crate) line: Line,
}

#[derive(Debug, PartialEq)]
pub(crate) struct RangeLiteral {
    pub(crate) begin: Expr,
    pub(crate) end: Expr,
    pub(crate) is_exclusive: bool,
}

/// An element of an array, or a positional argument.
#[derive(Debug, PartialEq)]
pub(crate) enum Element {
    Value(Expr),
    Splat(Expr),
}

/// An entry of a hash, or a keyword argument.
#[derive(Debug, PartialEq)]
pub(crate) enum Entry {
    Pair(Expr, Expr),
    Splat(Expr),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MatchVariable {
    /// `$~`
    Last,
    /// `$&`
    Whole,
    /// `` $` ``
    Before,
    /// `$'`
    After,
    /// `$+`
    LastGroup,
    /// `$1`
    Group(usize),
}

#[derive(Debug, PartialEq)]
pub(crate) struct ConstantPath {
    pub(crate) scope: ConstantScope,
    pub(crate) name: Symbol,
    pub(crate) line: Line,
}

#[derive(Debug, PartialEq)]
pub(crate) enum ConstantScope {
    /// `Name`: looked up in the modules around, and in their ancestors.
    Lexical,
    /// `::Name`
    Root,
    /// `scope::Name`
    Value(Expr),
}

/// The target of an assignment.
#[derive(Debug, PartialEq)]
pub(crate) enum Target {
    Local { depth: u32, slot: Slot },
    InstanceVariable(Symbol),
    ClassVariable(Symbol),
    GlobalVariable(Symbol),
    Constant(Box<ConstantPath>),
    Index(Box<IndexTarget>),
    Attribute(Box<AttributeTarget>),
    Nested(Box<Targets>),
    Unsupported(Box<(String, Line)>),
}

#[derive(Debug, PartialEq)]
pub(crate) struct IndexTarget {
    pub(crate) receiver: Expr,
    pub(crate) arguments: Arguments,
    pub(crate) line: Line,
}

#[derive(Debug, PartialEq)]
pub(crate) struct AttributeTarget {
    pub(crate) receiver: Expr,
    /// The name of the writer: `name=`.
    pub(crate) writer: Symbol,
    pub(crate) reader: Symbol,
    /// `receiver&.name = …`
    pub(crate) is_safe: bool,
    pub(crate) line: Line,
}

/// The left side of a multiple assignment.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Targets {
    pub(crate) before: Vec<Target>,
    /// `*rest`, or `*` without a name.
    pub(crate) rest: Option<Option<Target>>,
    pub(crate) after: Vec<Target>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Assign {
    pub(crate) target: Target,
    pub(crate) value: Expr,
}

#[derive(Debug, PartialEq)]
pub(crate) struct MultipleAssign {
    pub(crate) targets: Targets,
    pub(crate) value: Expr,
}

#[derive(Debug, PartialEq)]
pub(crate) struct OperatorAssign {
    pub(crate) target: Target,
    pub(crate) operator: AssignOperator,
    pub(crate) value: Expr,
    pub(crate) line: Line,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AssignOperator {
    /// `||=`
    Or,
    /// `&&=`
    And,
    /// `+=` and its like.
    Method(Symbol, Operator),
}

/// The arguments of a call.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Arguments {
    pub(crate) positional: Box<[Element]>,
    pub(crate) has_splat: bool,
    pub(crate) keywords: Option<Box<[Entry]>>,
    pub(crate) block: BlockArgument,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) enum BlockArgument {
    #[default]
    None,
    /// `{ |x| … }`
    Literal(Arc<BlockCode>),
    /// `&expression`
    Pass(Box<Expr>),
}

#[derive(Debug, PartialEq)]
pub(crate) struct CallExpr {
    pub(crate) receiver: Receiver,
    pub(crate) name: Symbol,
    pub(crate) arguments: Arguments,
    pub(crate) line: Line,
    pub(crate) kind: CallKind,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Receiver {
    /// `name(…)`
    Implicit,
    /// `self.name(…)`
    SelfValue,
    Value(Expr),
}

/// The shape of a call, which selects fast paths for the most frequent ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// A name alone, which could have been a variable.
    Variable,
    /// `receiver&.name`
    Safe,
    /// One plain argument, and no block.
    Binary(Operator),
    Other,
}

/// An operator with a fast path for numbers, strings and collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    Index,
    Modulo,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    None,
}

impl Operator {
    /// The operator of a name; `None` if it has no fast path.
    pub(crate) fn named(name: &str) -> Operator {
        match name {
            "+" => Operator::Add,
            "-" => Operator::Subtract,
            "*" => Operator::Multiply,
            "<" => Operator::Less,
            "<=" => Operator::LessEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterEqual,
            "==" => Operator::Equal,
            "!=" => Operator::NotEqual,
            "[]" => Operator::Index,
            "%" => Operator::Modulo,
            "&" => Operator::BitAnd,
            "|" => Operator::BitOr,
            "^" => Operator::BitXor,
            "<<" => Operator::ShiftLeft,
            ">>" => Operator::ShiftRight,
            _ => Operator::None,
        }
    }
}

#[derive(Debug, PartialEq)]
pub(crate) struct Append {
    pub(crate) slot: Slot,
    pub(crate) depth: u32,
    pub(crate) value: Part,
    pub(crate) line: Line,
}

#[derive(Debug, PartialEq)]
pub(crate) struct SuperCall {
    /// None for `super` without parentheses: the arguments of the method.
    pub(crate) arguments: Option<Arguments>,
    /// The block of an implicit `super`.
    pub(crate) block: BlockArgument,
    pub(crate) line: Line,
}

#[derive(Debug, PartialEq)]
pub(crate) struct YieldExpr {
    pub(crate) arguments: Arguments,
    pub(crate) line: Line,
}

#[derive(Debug, PartialEq)]
pub(crate) struct DefinedExpr {
    pub(crate) value: Expr,
}

#[derive(Debug, PartialEq)]
pub(crate) struct IfExpr {
    pub(crate) condition: Expr,
    pub(crate) then: Expr,
    pub(crate) otherwise: Expr,
}

#[derive(Debug, PartialEq)]
pub(crate) struct WhileExpr {
    pub(crate) condition: Expr,
    /// Whether the loop runs while the condition is true (`while`) or while it is false (`until`).
    pub(crate) expected: bool,
    /// `begin … end while`: the body runs before the condition is tested.
    pub(crate) is_body_first: bool,
    pub(crate) body: Expr,
}

#[derive(Debug, PartialEq)]
pub(crate) struct ForExpr {
    pub(crate) iterated: Expr,
    /// A block that assigns the variables and runs the body; it has no variables of its own but the argument.
    pub(crate) block: Arc<BlockCode>,
    pub(crate) line: Line,
}

#[derive(Debug, PartialEq)]
pub(crate) struct CaseExpr {
    pub(crate) subject: Option<Expr>,
    pub(crate) branches: Box<[WhenBranch]>,
    pub(crate) otherwise: Expr,
    pub(crate) line: Line,
}

#[derive(Debug, PartialEq)]
pub(crate) struct WhenBranch {
    pub(crate) patterns: Box<[Element]>,
    pub(crate) body: Expr,
}

#[derive(Debug, PartialEq)]
pub(crate) struct CaseIn {
    pub(crate) subject: Expr,
    pub(crate) branches: Box<[InBranch]>,
    /// None: `NoMatchingPatternError`.
    pub(crate) otherwise: Option<Expr>,
    pub(crate) line: Line,
}

#[derive(Debug, PartialEq)]
pub(crate) struct InBranch {
    pub(crate) pattern: Pattern,
    /// The guard, and the truth that it must have.
    pub(crate) guard: Option<(Expr, bool)>,
    pub(crate) body: Expr,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Pattern {
    /// A value that is compared by `===`.
    Value(Expr),
    Bind(Target),
    Alternatives(Box<(Pattern, Pattern)>),
    /// `pattern => name`
    Capture(Box<(Pattern, Target)>),
    Array(Box<ArrayPattern>),
    Find(Box<FindPattern>),
    Hash(Box<HashPattern>),
    Unsupported(Box<(String, Line)>),
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct ArrayPattern {
    pub(crate) constant: Option<Expr>,
    pub(crate) before: Vec<Pattern>,
    pub(crate) rest: Option<Option<Target>>,
    pub(crate) after: Vec<Pattern>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct FindPattern {
    pub(crate) constant: Option<Expr>,
    pub(crate) before: Option<Target>,
    pub(crate) middle: Vec<Pattern>,
    pub(crate) after: Option<Target>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct HashPattern {
    pub(crate) constant: Option<Expr>,
    pub(crate) pairs: Vec<(Symbol, Pattern)>,
    pub(crate) rest: HashRest,
}

#[derive(Debug, PartialEq)]
pub(crate) enum HashRest {
    /// Other keys are ignored.
    Any,
    /// `**nil`: other keys are not allowed.
    None,
    Bind(Target),
}

#[derive(Debug, PartialEq)]
pub(crate) struct BeginExpr {
    pub(crate) body: Expr,
    pub(crate) rescues: Box<[Rescue]>,
    pub(crate) otherwise: Option<Expr>,
    pub(crate) ensure: Option<Expr>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct Rescue {
    /// Empty for `StandardError`.
    pub(crate) classes: Box<[Element]>,
    pub(crate) target: Option<Target>,
    pub(crate) body: Expr,
}

#[derive(Debug, PartialEq)]
pub(crate) struct DefineMethod {
    /// The object that gets the method: `def object.name`.
    pub(crate) object: Option<Expr>,
    pub(crate) code: Arc<MethodCode>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct ClassExpr {
    pub(crate) kind: ClassExprKind,
    pub(crate) body: Arc<MethodCode>,
    pub(crate) line: Line,
}

#[derive(Debug, PartialEq)]
pub(crate) enum ClassExprKind {
    Class {
        path: ConstantPath,
        superclass: Option<Expr>,
    },
    Module {
        path: ConstantPath,
    },
    /// `class << object`
    Singleton {
        object: Expr,
    },
}

#[derive(Debug, PartialEq)]
pub(crate) struct MatchAssign {
    pub(crate) call: Expr,
    pub(crate) names: Box<[(Str, Target)]>,
}

/// The file that a method or block was written in.
#[derive(Debug, PartialEq)]
pub(crate) struct Source {
    pub(crate) path: Str,
}

/// The code of a method, a class body or a file.
#[derive(Debug, PartialEq)]
pub struct MethodCode {
    pub(crate) name: Symbol,
    pub(crate) parameters: Parameters,
    /// The names of the local variables, in the order of slots.
    pub(crate) locals: Box<[Symbol]>,
    pub(crate) body: Expr,
    pub(crate) source: Arc<Source>,
    pub(crate) line: Line,
}

/// The code of a block.
#[derive(Debug, PartialEq)]
pub struct BlockCode {
    pub(crate) parameters: Parameters,
    pub(crate) locals: Box<[Symbol]>,
    pub(crate) body: Expr,
}

/// The parameters of a method or block. Arguments are put into slots.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Parameters {
    pub(crate) required: Box<[Parameter]>,
    pub(crate) optional: Box<[(Slot, Expr)]>,
    /// `*rest`, or `*` without a name.
    pub(crate) rest: Option<Option<Slot>>,
    pub(crate) post: Box<[Parameter]>,
    pub(crate) keywords: Box<[KeywordParameter]>,
    pub(crate) keyword_rest: KeywordRest,
    pub(crate) block: Option<Slot>,
    /// Whether all parameters are required ones in the slots from 0.
    pub(crate) is_plain: bool,
    /// Whether a block takes an array that is its only argument as one value (`|a|`) or spreads it (`|a, b|`, `|a,|`).
    pub(crate) is_spread: bool,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Parameter {
    Slot(Slot),
    /// `(a, b)`
    Nested(Box<Targets>),
}

#[derive(Debug, PartialEq)]
pub(crate) struct KeywordParameter {
    pub(crate) name: Symbol,
    pub(crate) slot: Slot,
    /// None for required ones.
    pub(crate) default: Option<Expr>,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) enum KeywordRest {
    /// Unknown keywords are an error.
    #[default]
    None,
    /// `**rest`, or `**` without a name.
    Rest(Slot),
    /// `**nil`
    Refused,
}

impl Parameters {
    /// Whether there are parameters for keyword arguments.
    pub(crate) fn takes_keywords(&self) -> bool {
        !self.keywords.is_empty() || !matches!(self.keyword_rest, KeywordRest::None)
    }

    /// The minimal number of positional arguments.
    pub(crate) fn least(&self) -> usize {
        self.required.len() + self.post.len()
    }

    /// The maximal number of positional arguments; None for any number.
    pub(crate) fn most(&self) -> Option<usize> {
        self.rest.is_none().then(|| self.least() + self.optional.len())
    }

    /// Ruby's `arity`.
    pub(crate) fn arity(&self, is_strict: bool) -> i64 {
        let needs_keywords = self.keywords.iter().any(|it| it.default.is_none());
        let least = self.least() as i64 + i64::from(needs_keywords);
        let is_open = self.rest.is_some()
            || (is_strict && !self.optional.is_empty())
            || (!needs_keywords && is_strict && self.takes_keywords());
        if is_open { -least - 1 } else { least }
    }
}
