//! The permitted styles of a scalar.

/// Facts about a scalar's text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Analysis {
    pub(super) multiline: bool,
    pub(super) plain_allowed: bool,
    pub(super) single_quoted_allowed: bool,
    pub(super) block_allowed: bool,
}

/// Whether a character ends a line in YAML 1.1.
pub(super) fn is_break(character: char) -> bool {
    matches!(character, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a character is a blank, a line break, or the end of the text.
pub(super) fn is_blank_or_end(character: Option<char>) -> bool {
    character.is_none_or(|it| matches!(it, ' ' | '\t' | '\0') || is_break(it))
}

/// Whether a character is printed unescaped. Characters outside of the basic plane aren't, nor are tabs.
pub(super) fn is_printable(character: char) -> bool {
    matches!(character,
        '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// Determines the permitted styles of a text.
pub(super) fn analyze(text: &str) -> Analysis {
    if text.is_empty() {
        return Analysis { plain_allowed: true, single_quoted_allowed: true, ..Analysis::default() };
    }
    let is_marker = text.starts_with("---") || text.starts_with("...");
    let mut indicators = is_marker;
    let (mut line_breaks, mut special) = (false, false);
    let (mut break_space, mut space_break) = (false, false);
    let (mut previous_space, mut previous_break) = (false, false);
    let mut after_blank = true;
    let mut characters = text.chars().peekable();
    let mut is_first = true;
    while let Some(it) = characters.next() {
        let before_blank = is_blank_or_end(characters.peek().copied());
        match it {
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@'
            | '`'
                if is_first =>
            {
                indicators = true;
            }
            '?' | '-' if is_first => indicators |= before_blank,
            ':' => indicators |= before_blank,
            '#' if after_blank => indicators = true,
            _ => {}
        }
        special |= !is_printable(it);
        if it == ' ' {
            break_space |= previous_break;
        } else if is_break(it) {
            line_breaks = true;
            space_break |= previous_space;
        }
        (previous_space, previous_break) = (it == ' ', is_break(it));
        after_blank = is_blank_or_end(Some(it));
        is_first = false;
    }
    let edge = |it: Option<char>| it.is_some_and(|it| it == ' ' || is_break(it));
    let blank_edge = edge(text.chars().next()) || edge(text.chars().next_back());
    let plain = !(blank_edge || break_space || space_break || special || line_breaks);
    Analysis {
        multiline: line_breaks,
        plain_allowed: plain && !indicators,
        single_quoted_allowed: !(break_space || space_break || special),
        block_allowed: !(text.ends_with(' ') || space_break || special),
    }
}
