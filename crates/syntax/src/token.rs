//! Tokens: the lexer's output and the grammar's input.
//!
//! Every kind is one printable ASCII character. The grammar runs over the string of these characters, so it never sees
//! trivia, heredoc bodies or spelling; kinds that share a role are neighbours, so that a role is one range.

use marotte_text::{Str, TextRange, TextSize};

macro_rules! tokens {
    ($($(#[$doc:meta])* $name:ident = $code:literal $text:literal,)*) => {
        /// The kind of a token. The discriminant is the character that represents it in the grammar.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum TokenKind {
            $(#[doc = concat!("`", $text, "`")] $(#[$doc])* $name = $code,)*
        }

        impl TokenKind {
            /// All kinds, in order of declaration.
            #[cfg(test)]
            pub(crate) const ALL: &'static [TokenKind] = &[$(TokenKind::$name,)*];

            /// The spelling of a token of this kind, or a description if its text varies.
            pub fn text(self) -> &'static str {
                match self { $(TokenKind::$name => $text,)* }
            }

            /// The kind for a character of the grammar's input.
            pub(crate) fn from_code(code: u8) -> TokenKind {
                match code { $($code => TokenKind::$name,)* _ => TokenKind::Other }
            }
        }
    };
}

tokens! {
    // Operands of one token: `A` to `N`.
    Name = b'A' "a name",
    Number = b'B' "a number",
    Variable = b'C' "a variable",
    String = b'D' "a string",
    /// A bare word with a hyphen or a leading underscore.
    Word = b'E' "a word",
    Reference = b'F' "a type reference",
    Boolean = b'G' "a boolean",
    Undef = b'H' "undef",
    Default = b'I' "default",
    Regex = b'J' "a regular expression",
    Private = b'K' "private",
    Attr = b'L' "attr",
    RenderText = b'M' "template text",
    /// Represents source that was set aside after an error.
    Error = b'N' "an error",

    // Keywords: `O` to `Z`, and `apply`.
    Case = b'O' "case",
    Class = b'P' "class",
    Define = b'Q' "define",
    Else = b'R' "else",
    Elsif = b'S' "elsif",
    If = b'T' "if",
    Inherits = b'U' "inherits",
    Node = b'V' "node",
    Unless = b'W' "unless",
    Type = b'X' "type",
    Function = b'Y' "function",
    Plan = b'Z' "plan",
    Apply = b'9' "apply",

    // Binary operators: `a` to `r`, and the selector before them; prefix operators: `q` to `s`.
    Question = b'`' "?",
    In = b'a' "in",
    And = b'b' "and",
    Or = b'c' "or",
    Match = b'd' "=~",
    NoMatch = b'e' "!~",
    Plus = b'f' "+",
    Divide = b'g' "/",
    Modulo = b'h' "%",
    ShiftLeft = b'i' "<<",
    ShiftRight = b'j' ">>",
    NotEqual = b'k' "!=",
    Equal = b'l' "==",
    Greater = b'm' ">",
    GreaterEqual = b'n' ">=",
    Less = b'o' "<",
    LessEqual = b'p' "<=",
    Minus = b'q' "-",
    Times = b'r' "*",
    Not = b's' "!",

    // Links between whole resources and expressions: `t` to `z`.
    Assign = b't' "=",
    Append = b'u' "+=",
    Delete = b'v' "-=",
    Before = b'w' "->",
    Notify = b'x' "~>",
    After = b'y' "<-",
    Subscribe = b'z' "<~",

    // Continuations of an operand: `0` to `4`.
    /// `(` that is not first on its line.
    LeftParen = b'0' "(",
    /// `[` that no blank precedes.
    LeftBracket = b'1' "[",
    Dot = b'2' ".",
    LeftCollect = b'3' "<|",
    LeftExport = b'4' "<<|",

    /// `[` after a blank or at the start.
    ListStart = b'5' "[",
    /// `(` first on its line.
    LineParen = b'6' "(",
    /// `{` right after `?`.
    SelectBrace = b'7' "{",
    RightExport = b'8' "|>>",
    RightParen = b')' ")",
    RightBracket = b']' "]",
    LeftBrace = b'{' "{",
    RightBrace = b'}' "}",
    Comma = b',' ",",
    Semicolon = b';' ";",
    Colon = b':' ":",
    Pipe = b'|' "|",
    At = b'@' "@",
    AtAt = b'?' "@@",
    RightCollect = b'>' "|>",
    FatArrow = b'=' "=>",
    PlusArrow = b'+' "+>",
    Tilde = b'~' "~",
    /// A character that no token starts with.
    Other = b'^' "a character",

    /// `"…` up to the first interpolation.
    StringStart = b'"' "a string",
    /// Text between two interpolations.
    StringMiddle = b'_' "the rest of a string",
    /// Text after the last interpolation, and the closing `"`.
    StringEnd = b'&' "the end of a string",
    /// `@(…)`; the text follows as a string.
    Heredoc = b'#' "a heredoc",

    TemplateStart = b'<' "the start of the template",
    /// `%>` or `-%>` after `<%=`.
    TemplateEnd = b'%' "%>",
    /// `<%=`.
    RenderStart = b'$' "<%=",
}

impl TokenKind {
    /// Returns the keyword or boolean with the given spelling.
    pub(crate) fn keyword(name: &str, tasks: bool) -> Option<TokenKind> {
        Some(match name {
            "case" => TokenKind::Case,
            "class" => TokenKind::Class,
            "default" => TokenKind::Default,
            "define" => TokenKind::Define,
            "if" => TokenKind::If,
            "elsif" => TokenKind::Elsif,
            "else" => TokenKind::Else,
            "inherits" => TokenKind::Inherits,
            "node" => TokenKind::Node,
            "and" => TokenKind::And,
            "or" => TokenKind::Or,
            "undef" => TokenKind::Undef,
            "false" | "true" => TokenKind::Boolean,
            "in" => TokenKind::In,
            "unless" => TokenKind::Unless,
            "function" => TokenKind::Function,
            "type" => TokenKind::Type,
            "attr" => TokenKind::Attr,
            "private" => TokenKind::Private,
            "plan" if tasks => TokenKind::Plan,
            "apply" if tasks => TokenKind::Apply,
            _ => return None,
        })
    }

    /// Whether it is a word of the language, `true` and `false` included.
    pub(crate) fn is_keyword(self) -> bool {
        matches!(self as u8, b'O'..=b'Z' | b'9' | b'a'..=b'c' | b'G'..=b'I' | b'K' | b'L')
    }

    /// Whether it can be a whole operand.
    pub(crate) fn is_operand(self) -> bool {
        matches!(self as u8, b'A'..=b'N')
    }

    /// Whether it may precede an operand.
    pub(crate) fn is_prefix(self) -> bool {
        matches!(self as u8, b'q'..=b's')
    }

    /// Whether a `/` after it is a division (A41, A42).
    pub(crate) fn ends_value(self) -> bool {
        matches!(
            self,
            TokenKind::RightParen
                | TokenKind::RightBracket
                | TokenKind::RightExport
                | TokenKind::RightCollect
                | TokenKind::Name
                | TokenKind::Reference
                | TokenKind::Number
                | TokenKind::String
                | TokenKind::Boolean
                | TokenKind::StringStart
                | TokenKind::StringMiddle
                | TokenKind::StringEnd
                | TokenKind::Heredoc
                | TokenKind::Regex
                | TokenKind::Variable
                | TokenKind::Word
        )
    }

    /// The closer of an opening bracket.
    pub(crate) fn closer(self) -> Option<TokenKind> {
        Some(match self {
            TokenKind::LeftParen | TokenKind::LineParen => TokenKind::RightParen,
            TokenKind::LeftBracket | TokenKind::ListStart => TokenKind::RightBracket,
            TokenKind::LeftBrace | TokenKind::SelectBrace => TokenKind::RightBrace,
            TokenKind::LeftCollect => TokenKind::RightCollect,
            TokenKind::LeftExport => TokenKind::RightExport,
            TokenKind::StringStart => TokenKind::StringEnd,
            TokenKind::RenderStart => TokenKind::TemplateEnd,
            _ => return None,
        })
    }

    /// Whether it is a closing bracket.
    pub(crate) fn is_closer(self) -> bool {
        matches!(
            self,
            TokenKind::RightParen
                | TokenKind::RightBracket
                | TokenKind::RightBrace
                | TokenKind::RightCollect
                | TokenKind::RightExport
                | TokenKind::StringEnd
                | TokenKind::TemplateEnd
        )
    }
}

/// A token's position, and its text if that differs from the source.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Index into [`Tokens::texts`], or [`Token::AS_WRITTEN`].
    text: u32,
}

impl Token {
    const AS_WRITTEN: u32 = u32::MAX;

    /// The bytes of the source that the token covers.
    pub fn range(self) -> TextRange {
        TextRange::new(TextSize::new(self.start), TextSize::new(self.end))
    }
}

/// The tokens of one text.
///
/// Invariant: `kinds` and `places` have the same length; places of one text do not overlap, but a heredoc's text
/// comes right after its header, before the rest of the header's line.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    /// One ASCII character per token.
    kinds: String,
    places: Vec<Token>,
    texts: Vec<Str>,
}

impl Tokens {
    pub(crate) fn with_capacity(source_len: usize) -> Tokens {
        let count = source_len / 6 + 8;
        Tokens { kinds: String::with_capacity(count), places: Vec::with_capacity(count), texts: Vec::new() }
    }

    pub(crate) fn push(&mut self, kind: TokenKind, range: (u32, u32)) {
        self.kinds.push(char::from(kind as u8));
        self.places.push(Token { start: range.0, end: range.1, text: Token::AS_WRITTEN });
    }

    /// Adds a token whose text differs from the source at its range.
    pub(crate) fn push_text(&mut self, kind: TokenKind, range: (u32, u32), text: Str) {
        self.push(kind, range);
        if let Some(place) = self.places.last_mut() {
            place.text = u32::try_from(self.texts.len()).unwrap_or(Token::AS_WRITTEN);
            self.texts.push(text);
        }
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no tokens.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The grammar's input: one character per token.
    pub(crate) fn codes(&self) -> &str {
        &self.kinds
    }

    /// The kind of the token at `index`; `None` beyond the last.
    pub fn kind(&self, index: usize) -> Option<TokenKind> {
        self.kinds.as_bytes().get(index).map(|&code| TokenKind::from_code(code))
    }

    /// The position of the token at `index`; `None` beyond the last.
    pub fn place(&self, index: usize) -> Option<Token> {
        self.places.get(index).copied()
    }

    /// The token's range; beyond the last token, the empty range at `end`.
    pub(crate) fn range(&self, index: usize, end: TextSize) -> TextRange {
        self.place(index).map_or(TextRange::empty(end), Token::range)
    }

    /// The text that the lexer produced for the token, if it differs from the source.
    pub(crate) fn own_text(&self, index: usize) -> Option<&Str> {
        self.texts.get(self.places.get(index)?.text as usize)
    }

    pub(crate) fn set_kind(&mut self, index: usize, kind: TokenKind) {
        if index < self.kinds.len() {
            let code = [kind as u8];
            let text = std::str::from_utf8(&code).unwrap_or("^");
            self.kinds.replace_range(index..=index, text);
        }
    }

    /// Inserts a token that the source lacks before the token at `index`.
    pub(crate) fn insert(&mut self, index: usize, kind: TokenKind) {
        let before = self.place(index.wrapping_sub(1)).map_or(0, |place| place.end);
        let at = self.end_before(index, before);
        self.kinds.insert(index, char::from(kind as u8));
        self.places.insert(index, Token { start: at, end: at, text: Token::AS_WRITTEN });
    }

    pub(crate) fn remove(&mut self, index: usize) {
        self.kinds.remove(index);
        self.places.remove(index);
    }

    /// The end of the token before `index`, limited to the start of the token at `index`: a heredoc's text ends further
    /// down than the code after its header starts.
    fn end_before(&self, index: usize, end: u32) -> u32 {
        self.place(index).map_or(end, |next| end.min(next.start))
    }

    /// Replaces the tokens of `range` by one error token.
    pub(crate) fn blank(&mut self, range: std::ops::Range<usize>) {
        let (Some(first), Some(last)) = (self.place(range.start), self.place(range.end.wrapping_sub(1)))
        else {
            return;
        };
        self.kinds.replace_range(range.clone(), "N");
        let end = self.end_before(range.end, last.end).max(first.start);
        self.places.splice(range, [Token { start: first.start, end, text: Token::AS_WRITTEN }]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_character_of_its_own() {
        let mut codes: Vec<u8> = TokenKind::ALL.iter().map(|&kind| kind as u8).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), TokenKind::ALL.len());
        assert!(codes.iter().all(|code| code.is_ascii_graphic()));
        assert!(TokenKind::ALL.iter().all(|&kind| TokenKind::from_code(kind as u8) == kind));
    }
}
