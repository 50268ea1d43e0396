use marotte_pcore::budget::Allowance;
use marotte_pcore::dialect::Dialect;
use marotte_pcore::ops::Strictness;
use marotte_syntax::SyntaxErrorKind;

/// How a program is evaluated.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which dialect of the language.
    pub dialect: &'static Dialect,
    /// `strict`: what doubtful conversions, keys and, unless `strict_variables` is set, unknown variables are.
    pub strict: Strictness,
    /// `strict_variables`: unknown variables are errors.
    pub strict_variables: bool,
    /// What ends a program that would not end by itself.
    pub limits: Limits,
}

impl Default for Settings {
    /// Those of Puppet 8.
    fn default() -> Settings {
        Settings::of(Dialect::puppet8())
    }
}

/// What ends a program that would not end by itself.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Calls within calls.
    pub call_depth: usize,
    /// Bytes of a string.
    pub string_size: usize,
    /// Elements of a collection.
    pub collection_size: usize,
    /// Bytes that a value with all that is in it may take, shared parts counted as often as they occur.
    pub value_size: usize,
    /// Calls of lambdas in all.
    pub iterations: u64,
    /// Elements that operators and functions copy in all, to make collections and texts of them.
    pub copies: u64,
    /// What everything may take together.
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
    /// What holds in a dialect if nobody says otherwise.
    pub fn of(dialect: &'static Dialect) -> Settings {
        let strict_variables = dialect.evaluation.strict_variables;
        Settings { dialect, strict: Strictness::Error, strict_variables, limits: Limits::default() }
    }
}

/// What an error of reading means under the setting `strict`: an error, a warning, or nothing. Only what the setting is about
/// is ever less than it seems.
pub fn strictness_of(strict: Strictness, error: &SyntaxErrorKind) -> Strictness {
    match error {
        SyntaxErrorKind::DuplicateKey { .. } => strict,
        it if it.is_warning() => Strictness::Warning,
        _ => Strictness::Error,
    }
}
