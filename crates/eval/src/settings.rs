use marotte_pcore::budget::Allowance;
use marotte_pcore::dialect::Dialect;
use marotte_pcore::ops::Strictness;
use marotte_syntax::SyntaxErrorKind;

/// The settings of an evaluation.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The dialect of the language.
    pub dialect: &'static Dialect,
    /// `strict`: the severity of doubtful conversions, of duplicate keys and, unless `strict_variables` is set, of
    /// unknown variables.
    pub strict: Strictness,
    /// `strict_variables`: whether unknown variables are errors.
    pub strict_variables: bool,
    /// The limits that end runaway programs.
    pub limits: Limits,
}

impl Default for Settings {
    /// The settings of Puppet 8.
    fn default() -> Settings {
        Settings::of(Dialect::puppet8())
    }
}

/// The limits that end runaway programs.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximal depth of nested calls.
    pub call_depth: usize,
    /// The maximal number of bytes of a string.
    pub string_size: usize,
    /// The maximal number of elements of a collection.
    pub collection_size: usize,
    /// The maximal size of a value with all its parts in bytes; shared parts count as often as they occur.
    pub value_size: usize,
    /// The maximal number of calls of lambdas in total.
    pub iterations: u64,
    /// The maximal number of elements that operators and functions copy in total, when they create collections and
    /// strings.
    pub copies: u64,
    /// The budget for the whole evaluation.
    pub budget: Allowance,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            call_depth: 2_000,
            string_size: 64 << 20,
            collection_size: 5_000_000,
            value_size: 512 << 20,
            iterations: 1_000_000_000,
            copies: 10_000_000_000,
            budget: Allowance::default(),
        }
    }
}

impl Settings {
    /// The default settings of a dialect.
    pub fn of(dialect: &'static Dialect) -> Settings {
        let strict_variables = dialect.evaluation.strict_variables;
        Settings { dialect, strict: Strictness::Error, strict_variables, limits: Limits::default() }
    }
}

/// The severity of a syntax error under the setting `strict`. Only errors governed by the setting are ever reduced.
pub fn strictness_of(strict: Strictness, error: &SyntaxErrorKind) -> Strictness {
    match error {
        SyntaxErrorKind::DuplicateKey { .. } => strict,
        it if it.is_warning() => Strictness::Warning,
        _ => Strictness::Error,
    }
}
