//! The errors that a text can have, as data without message texts.
//!
//! The message, the rule and the fix for each kind are defined in one place, `marotte_diagnostics::syntax`.

use marotte_text::{Str, TextRange};

/// One error in a text, with its range.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxError {
    /// The exact token (or characters) at fault.
    pub range: TextRange,
    /// The kind of error.
    pub kind: SyntaxErrorKind,
}

/// A kind of expression or definition, as the reference names it in messages (`'if' statement`, `Method call`, …).
pub type Label = &'static str;

/// Everything that lexing, parsing and static validation can report.
///
/// Each variant names the corresponding issue of the reference.
#[derive(Clone, Debug, PartialEq)]
pub enum SyntaxErrorKind {
    // ---- lexical structure
    /// `ILLEGAL_BOM`: the text starts with a byte order mark.
    ByteOrderMark {
        /// The name of the encoding that the mark announces.
        encoding: &'static str,
        /// The bytes of the mark in hexadecimal, separated by spaces.
        bytes: Str,
    },
    /// `ILLEGAL_CLASS_REFERENCE`: `Foo::bar`, a reference with a lower-case segment.
    IllegalClassReference,
    /// `ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE`: the same after a leading `::`.
    IllegalFullyQualifiedClassReference,
    /// `ILLEGAL_FULLY_QUALIFIED_NAME`: `::` is not followed by a name.
    IllegalFullyQualifiedName,
    /// `ILLEGAL_NAME_OR_BARE_WORD`.
    IllegalNameOrBareWord,
    /// `ILLEGAL_NUMBER`: a number with letters in it (`9x`, `1_000`).
    IllegalNumber(Str),
    /// `INVALID_HEX_NUMBER`: `0x` without a digit, or with one that is not hexadecimal.
    InvalidHexNumber(Str),
    /// `INVALID_OCTAL_NUMBER`: a leading `0` with a digit that is not octal.
    InvalidOctalNumber(Str),
    /// `INVALID_DECIMAL_NUMBER`: a broken fraction or exponent; `1e+5` is `plus_exponent`.
    InvalidDecimalNumber {
        /// The number as written.
        text: Str,
        /// Whether the exponent has a `+`, which the language does not support.
        plus_exponent: bool,
    },
    /// `ILLEGAL_UNICODE_ESCAPE`: `\u` without four hexadecimal digits or `{…}` (a warning; the text is kept).
    MalformedUnicodeEscape,
    /// `ILLEGAL_UNICODE_ESCAPE`: an escape that does not name a character: a surrogate, or a value above 10FFFF (an
    /// error).
    NoSuchCharacter,
    /// `UNRECOGNIZED_ESCAPE`: a backslash before a character with which it does not form an escape in double quotes; it
    /// is kept.
    UnrecognizedEscape(char),
    /// `UNCLOSED_QUOTE`: a string that extends to the end of the text.
    UnclosedQuote {
        /// `'` or `"`.
        quote: char,
        /// An earlier string that spans lines and ends inside a word: the likely place of the missing quote.
        culprit: Option<TextRange>,
    },
    /// A string that spans lines and ends directly before a word, in a text that the grammar rejects from there on: its closing quote
    /// is missing, although the number of quotes is even.
    StringEndsLate {
        /// `'` or `"`.
        quote: char,
        /// The quote that ends it.
        end: TextRange,
    },
    /// `UNCLOSED_MLCOMMENT`: `/*` without `*/`.
    UnclosedComment,
    /// `HEREDOC_UNCLOSED_PARENTHESIS`: `@(` without `)`.
    HeredocUnclosedParenthesis,
    /// `HEREDOC_INVALID_SYNTAX`: the text between `@(` and `)` does not have the form `endtag:syntax/escapes`.
    HeredocInvalidSyntax,
    /// `HEREDOC_INVALID_ESCAPE`: a letter after `/` that does not name an escape.
    HeredocInvalidEscape(char),
    /// `HEREDOC_MULTIPLE_AT_ESCAPES`: the same escape twice.
    HeredocMultipleEscapes(char),
    /// `HEREDOC_EMPTY_ENDTAG`.
    HeredocEmptyEndTag,
    /// `HEREDOC_WITHOUT_TEXT`: the header is on the last line.
    HeredocWithoutText,
    /// `HEREDOC_WITHOUT_END_TAGGED_LINE`: no line with the end tag follows.
    HeredocWithoutEnd {
        /// The missing end tag.
        tag: Str,
    },
    /// The text of a heredoc has the header of another one with the same end tag, which therefore ends both: the end of the first is missing.
    /// To the reference, this is text like any other.
    HeredocSwallows {
        /// The end tag.
        tag: Str,
        /// The range of the other header.
        other: TextRange,
    },
    /// The static text of a heredoc does not comply with the syntax it declares (`@(X:json)`).
    HeredocText {
        /// The syntax that the header declares.
        syntax: Str,
        /// The message of the syntax checker.
        reason: Str,
    },
    /// A literal regular expression that Ruby's engine rejects.
    InvalidRegex(Str),
    /// `EPP_UNBALANCED_TAG`: the text ends inside `<% … `.
    EppUnbalancedTag,
    /// `EPP_UNBALANCED_COMMENT`: the text ends inside `<%# …`.
    EppUnbalancedComment,
    /// `EPP_UNBALANCED_EXPRESSION`: the text ends right after `<%`.
    EppUnbalancedExpression,

    // ---- grammar
    /// The lines of a merge conflict: `<<<<<<<`, `=======`, `>>>>>>>`. The range is its first line.
    MergeConflict,
    /// `SYNTAX_ERROR`: a token that is not allowed here.
    Unexpected {
        /// The token as written; `None` at the end of the text.
        found: Option<Str>,
        /// The probable cause of the error.
        slip: Slip,
    },
    /// An opening delimiter that is never closed. The range is the opener.
    Unclosed {
        /// The opener as written: `{`, `(`, `[`, `${`, `<|`, `|` …
        open: &'static str,
        /// The missing closing delimiter.
        close: &'static str,
        /// The place where the delimiter should have been closed, judged by indentation or by the token found there instead.
        expected_at: Option<TextRange>,
    },
    /// A closing delimiter without an opening one.
    Unopened {
        /// The closer as written.
        close: &'static str,
    },
    /// `expr { … }` where `expr` is not a resource type, type reference or resource reference.
    NotAResource,
    /// `@` or `@@` before an expression that is not a resource expression.
    NotVirtual {
        /// Whether it is `@@` rather than `@`.
        exported: bool,
    },
    /// `name { attr +> value }`: neither a resource with a title nor a hash.
    AppendWithoutTitle,
    /// `class class { }`.
    ClassKeywordAsName,
    /// `class 'name' { }`: a quoted string where a name is required.
    QuotedName,
    /// `a, b` as a statement. The range is the first comma.
    CommaList {
        /// The name before the list, when it is a function that cannot be called without parentheses.
        function: Option<Str>,
    },
    /// Brackets, blocks, interpolations or prefix operators nested deeper than this.
    NestingLimit(u32),
    /// The expression has more operators than this.
    ChainLimit(u32),
    /// The text is not read beyond this place, because it has too many errors, or errors that are too hard to repair.
    GivenUp,

    // ---- static validation: definitions
    /// `NOT_TOP_LEVEL`: a class, define or node outside the top level and outside a class.
    NotTopLevel(Label),
    /// `NOT_ABSOLUTE_TOP_LEVEL`: a function or type inside a class.
    NotAbsoluteTopLevel(Label),
    /// `ILLEGAL_DEFINITION_NAME`.
    IllegalDefinitionName {
        /// The name as written.
        name: Str,
        /// The kind of definition.
        definition: Label,
    },
    /// `RESERVED_TYPE_NAME`: a definition named like a built-in type.
    ReservedTypeName {
        /// The name as written.
        name: Str,
        /// The kind of definition.
        definition: Label,
    },
    /// `RESERVED_WORD`: `attr` or `private` as an expression.
    ReservedWord(Str),
    /// `FUTURE_RESERVED_WORD`: a definition named `plan` (a deprecation).
    FutureReservedWord(Str),
    /// `ILLEGAL_NODE_INHERITANCE`.
    NodeInheritance,
    /// `ILLEGAL_HOSTNAME_CHARS`.
    IllegalHostnameCharacters(Str),
    /// `ILLEGAL_HOSTNAME_INTERPOLATION`.
    HostnameInterpolation,
    /// `ILLEGAL_TYPE_MAPPING`: the two sides of `type Runtime[…] = …` do not match.
    IllegalTypeMapping {
        /// Whether the left side is a pattern with a replacement, so that the right side must be one too.
        pattern: bool,
    },
    /// `UNSUPPORTED_EXPRESSION`: `type X { }`, which the grammar accepts but no compiler implements.
    UnsupportedExpression(Label),

    // ---- static validation: parameters
    /// `RESERVED_PARAMETER`: `$name` or `$title` as a parameter of a class or define.
    ReservedParameter(Str),
    /// `DUPLICATE_PARAMETER`.
    DuplicateParameter {
        /// The name of the parameter, without `$`.
        name: Str,
        /// The range of the parameter's first declaration.
        first: TextRange,
    },
    /// `ILLEGAL_NUMERIC_PARAMETER`: `$1` as a parameter.
    NumericParameter(Str),
    /// `ILLEGAL_PARAM_NAME`.
    IllegalParameterName(Str),
    /// `CAPTURES_REST_NOT_LAST`.
    CapturesRestNotLast(Str),
    /// `CAPTURES_REST_NOT_SUPPORTED`: `*$x` in a class, define or template.
    CapturesRestNotSupported {
        /// The name of the parameter, without `$`.
        name: Str,
        /// The kind of definition that has the parameter.
        container: Label,
    },
    /// `ILLEGAL_ASSIGNMENT_CONTEXT`: an assignment in a default value.
    AssignmentInDefault,
    /// `ILLEGAL_NONLITERAL_PARAMETER_TYPE`: a class parameter's type is computed (a deprecation).
    NonLiteralParameterType(Str),

    // ---- static validation: variables and assignment
    /// `ILLEGAL_VAR_NAME`.
    IllegalVariableName(Str),
    /// `ILLEGAL_NUMERIC_VAR_NAME`.
    IllegalNumericVariableName(Str),
    /// `CROSS_SCOPE_ASSIGNMENT`: `$a::b = …`.
    CrossScopeAssignment(Str),
    /// `ILLEGAL_NUMERIC_ASSIGNMENT`: `$1 = …`.
    NumericAssignment(Str),
    /// `ILLEGAL_INDEXED_ASSIGNMENT`: `$a[1] = …`.
    IndexedAssignment,
    /// `ILLEGAL_ASSIGNMENT`: the left side cannot be assigned to.
    IllegalAssignment(Label),
    /// `APPENDS_DELETES_NO_LONGER_SUPPORTED`: `+=` or `-=`.
    AppendsDeletes(&'static str),

    // ---- static validation: expressions
    /// `NOT_RVALUE`: a definition or a collector where a value is needed.
    NotAValue(Label),
    /// `IDEM_EXPRESSION_NOT_LAST`: a value is computed and discarded.
    NoEffect(Label),
    /// `IDEM_NOT_ALLOWED_LAST`: a class, define or node ends with such a value.
    NoEffectLast {
        /// The kind of the expression.
        expression: Label,
        /// The definition that it ends.
        container: Label,
    },
    /// `RESOURCE_WITHOUT_TITLE`: `file { mode => … }`.
    ResourceWithoutTitle(Str),
    /// `DUPLICATE_DEFAULT`: the range is the second `default`.
    DuplicateDefault {
        /// `Case expression` or `Selector expression`.
        container: Label,
        /// The range of the first `default`.
        first: TextRange,
    },
    /// `DUPLICATE_KEY`: the same literal key twice in a hash.
    DuplicateKey {
        /// The key, as shown in messages.
        key: Str,
        /// The range of the first occurrence.
        first: TextRange,
    },
    /// `ILLEGAL_EXPRESSION`: the wrong kind of expression as a function name, type name, type reference or hostname.
    IllegalExpression {
        /// The kind of the expression.
        expression: Label,
        /// The role that it cannot have: `function name`, `type name`, `a type reference`, `hostname`.
        feature: &'static str,
        /// The construct that contains the expression.
        container: Label,
    },
    /// Letters directly after a regular expression, in a dialect that reads them as options, which it does not support.
    RegexOptions(Str),
    /// `NUMERIC_OVERFLOW`: an integer beyond 64 bits.
    NumericOverflow(Str),
    /// `ILLEGAL_CLASSREF`: a type reference that is not a valid name.
    IllegalTypeReference(Str),
    /// `DISCONTINUED_IMPORT`: `import 'x.pp'`.
    DiscontinuedImport,

    // ---- static validation: catalog syntax
    /// `ILLEGAL_ATTRIBUTE_APPEND`: `+>` outside overrides and collectors.
    AttributeAppend {
        /// The attribute's name.
        name: Str,
        /// The construct that contains the attribute.
        container: Label,
    },
    /// `MULTIPLE_ATTRIBUTES_UNFOLD`: `* =>` twice in one body.
    MultipleUnfold {
        /// The range of the first one.
        first: TextRange,
    },
    /// `UNSUPPORTED_OPERATOR_IN_CONTEXT`: `* =>` where it is not allowed.
    UnfoldInContext(Label),
    /// `NOT_VIRTUALIZEABLE`: `@` on defaults or overrides.
    NotVirtualizable,
    /// `CLASS_NOT_VIRTUALIZABLE`: `@class { … }`.
    ClassNotVirtualizable,
    /// `ILLEGAL_QUERY_EXPRESSION`.
    IllegalQuery(Label),
    /// `ILLEGAL_EPP_PARAMETERS`: a parameter list that does not come first in the template.
    EppParameters,

    // ---- tasks mode
    /// `EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING`: catalog code in a plan.
    NotInPlan(Label),
    /// `EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING`: plan code in an `apply` block.
    NotInApply(Label),
}

/// The common mistakes that cause syntax errors; each has its own message and, where it is safe, a fix.
#[derive(Clone, Debug, PartialEq)]
pub enum Slip {
    /// The cause is unknown.
    Unknown,
    /// No guess, but only these tokens are allowed here (at most a handful, as written).
    Expected(Box<[&'static str]>),
    /// `attr = value` for `attr => value`. The range is the `=`.
    EqualsForArrow,
    /// `key: value` for `key => value`. The range is the `:`.
    ColonForArrow,
    /// Two list elements, attributes or parameters with nothing between them.
    MissingComma {
        /// The range of the element before the missing comma.
        after: TextRange,
    },
    /// A resource body without `:` after its title.
    MissingColon {
        /// The range of the title.
        after: TextRange,
    },
    /// An option of a `case` without `:` before its block.
    MissingColonOfOption {
        /// The range of the option.
        after: TextRange,
    },
    /// `else if` for `elsif`. The range covers both words.
    ElseIf,
    /// `elseif` or `elif` for `elsif`.
    MisspelledElsif,
    /// `unless … elsif`, which the language does not have.
    UnlessElsif,
    /// A parameter without its `$`. The range is the name.
    MissingDollar,
    /// A bracket closed by a closer of another kind. The range is the wrong closer.
    WrongCloser {
        /// The range of the opener.
        opener: TextRange,
        /// The closer that matches the opener.
        expected: &'static str,
    },
    /// A bracket of the wrong kind whose closer is right: `$x ? [ … }`. The range is the wrong opener.
    WrongOpener {
        /// The range of the closer.
        closer: TextRange,
        /// The opener that matches the closer.
        expected: &'static str,
    },
    /// `$x { … => … }` for `$x ? { … }`. The range is the brace.
    MissingQuestionMark,
    /// `string $x`: a lower-case type before a parameter. The range is the type.
    LowercaseType,
    /// `'mode' => …` in a resource: a quoted attribute name. The range is the name.
    QuotedAttribute,
    /// `clas foo { }`: a word that is one typing mistake away from a keyword. The range is the word.
    MisspelledKeyword(&'static str),
    /// A statement of another language: `for`, `while`, `switch`, `end` … The range is the word.
    ForeignStatement {
        /// The Puppet counterpart, as a sentence.
        advice: &'static str,
    },
    /// A typographic quote where `'` or `"` was meant.
    TypographicQuote {
        /// The plain quote to use instead.
        replacement: char,
        /// The range of the typographic quote that closes the string, if there is one on the line.
        closing: Option<TextRange>,
    },
    /// A character of another script or a control character, outside strings and comments.
    StrayCharacter(char),
    /// `not x`, `x && y`, `x || y`, `x ? y : z`, `x++` …, in place of a Puppet operator.
    ForeignOperator {
        /// The operator as written.
        written: &'static str,
        /// The operator to use in Puppet.
        instead: &'static str,
    },
    /// A keyword used as a bare word where a string was meant (`{ class => 1 }`, `$x = if`).
    KeywordAsWord,
    /// A statement call inside an expression needs parentheses.
    CallWithoutParentheses(Str),
    /// `[` after a blank starts a list, and so does not index.
    BlankBeforeIndex,
    /// `(` first on a line cannot start an argument list.
    ParenthesisOnNewLine,
    /// An empty list where at least one element is required: `case` options, index, title.
    Empty(&'static str),
    /// A trailing comma where the grammar does not allow one (method calls, case values).
    TrailingComma,
    /// A `;` that does not separate anything.
    StraySemicolon,
    /// The same operator or separator twice.
    Doubled,
}

impl SyntaxErrorKind {
    /// Whether the error (a string or a comment without an end) may have swapped text and code up to the end of the
    /// file.
    pub(crate) fn runs_to_the_end(&self) -> bool {
        matches!(self, SyntaxErrorKind::UnclosedQuote { .. } | SyntaxErrorKind::UnclosedComment)
    }

    /// Whether all names and types in a text are the same as without the error, so that only the value at its place is unknown.
    /// Errors that affect which definitions exist, or how the text is parsed, don't keep the meaning.
    pub fn keeps_meaning(&self) -> bool {
        use SyntaxErrorKind as Kind;
        // The code in the text of such a heredoc was meant to be read.
        self.is_warning() && !matches!(self, Kind::HeredocSwallows { .. })
            || matches!(
                self,
                Kind::AppendsDeletes(_)
                    | Kind::AssignmentInDefault
                    | Kind::AttributeAppend { .. }
                    | Kind::CapturesRestNotLast(_)
                    | Kind::CapturesRestNotSupported { .. }
                    | Kind::ClassNotVirtualizable
                    | Kind::CrossScopeAssignment(_)
                    | Kind::DuplicateDefault { .. }
                    | Kind::DuplicateKey { .. }
                    | Kind::DuplicateParameter { .. }
                    | Kind::HeredocText { .. }
                    | Kind::HostnameInterpolation
                    | Kind::IllegalAssignment(_)
                    | Kind::IllegalExpression { .. }
                    | Kind::IllegalHostnameCharacters(_)
                    | Kind::IllegalNumericVariableName(_)
                    | Kind::IllegalParameterName(_)
                    | Kind::IllegalQuery(_)
                    | Kind::IllegalTypeReference(_)
                    | Kind::IllegalVariableName(_)
                    | Kind::IndexedAssignment
                    | Kind::InvalidRegex(_)
                    | Kind::MultipleUnfold { .. }
                    | Kind::NoEffect(_)
                    | Kind::NoEffectLast { .. }
                    | Kind::NodeInheritance
                    | Kind::NotVirtualizable
                    | Kind::NumericAssignment(_)
                    | Kind::NumericOverflow(_)
                    | Kind::NumericParameter(_)
                    | Kind::ReservedParameter(_)
                    | Kind::ReservedWord(_)
                    | Kind::ResourceWithoutTitle(_)
                    | Kind::UnfoldInContext(_)
            )
    }

    /// Whether the reference continues after this error, because it only logs a warning or a deprecation.
    pub fn is_warning(&self) -> bool {
        matches!(
            self,
            SyntaxErrorKind::HeredocSwallows { .. }
                | SyntaxErrorKind::MalformedUnicodeEscape
                | SyntaxErrorKind::UnrecognizedEscape(_)
                | SyntaxErrorKind::FutureReservedWord(_)
                | SyntaxErrorKind::NonLiteralParameterType(_)
        )
    }
}
