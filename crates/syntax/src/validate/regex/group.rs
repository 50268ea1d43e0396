//! The validation of groups: `(…)`.

use super::{Reader, Stop, wrong};

impl<'p> Reader<'p> {
    /// Reads the part after `(` that determines the kind of group.
    pub(super) fn group(&mut self) -> Result<(), Stop> {
        if !self.eat("?") {
            self.captures += 1;
            self.open();
            return Ok(());
        }
        match self.next() {
            None => return wrong("end pattern in group"),
            Some(':' | '=' | '!' | '>' | '~') => self.open(),
            Some('#') => return self.comment(),
            Some('<') if self.eat("=") || self.eat("!") || self.peek().is_none() => self.open(),
            Some('<') => self.named('>')?,
            Some('\'') => self.named('\'')?,
            Some('(') => return Err(Stop::Unknown),
            Some(option) => self.options(option)?,
        }
        Ok(())
    }

    fn open(&mut self) {
        self.open += 1;
        self.repeatable = false;
    }

    fn comment(&mut self) -> Result<(), Stop> {
        loop {
            match self.next() {
                None => return wrong("end pattern in group"),
                Some('\\') => {
                    let _escaped = self.next();
                }
                Some(')') => return Ok(()),
                Some(_) => {}
            }
        }
    }

    fn named(&mut self, end: char) -> Result<(), Stop> {
        let name = self.name(end)?;
        if name.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            return Err(Stop::Wrong(format!("invalid group name <{name}>").into()));
        }
        self.names.push(name);
        self.captures += 1;
        self.open();
        Ok(())
    }

    /// Reads a name up to `end`; it cannot contain `)`.
    pub(super) fn name(&mut self, end: char) -> Result<&'p str, Stop> {
        let rest = self.rest();
        match self.until(end) {
            Some("") => wrong("group name is empty"),
            Some(name) if !name.contains(')') => Ok(name),
            _ if rest.is_empty() => wrong("group name is empty"),
            _ => Err(Stop::Wrong(format!("invalid group name <{rest}>").into())),
        }
    }

    /// Reads `(?im-x)` or `(?im-x:…)`. Without `:` the options apply to the end of the enclosing group.
    fn options(&mut self, mut option: char) -> Result<(), Stop> {
        let mut on = true;
        let mut any = false;
        loop {
            match option {
                ')' if any => {
                    self.repeatable = false;
                    return Ok(());
                }
                ':' if any => {
                    self.open();
                    return Ok(());
                }
                '-' => on = false,
                'i' | 'm' | 'a' | 'd' | 'u' => {}
                'x' if on => return Err(Stop::Unknown),
                'x' => {}
                _ => return wrong("undefined group option"),
            }
            any = true;
            match self.next() {
                Some(next) => option = next,
                None => return wrong("end pattern in group"),
            }
        }
    }
}
