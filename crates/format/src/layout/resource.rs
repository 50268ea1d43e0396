//! Resources, defaults, overrides and collectors.

use marotte_syntax::TokenKind;
use marotte_syntax::ast::{Attribute, Collector, Expr, Resource, ResourceBody, ResourceForm};

use crate::writer::{Writer, span};

impl Writer<'_> {
    pub(super) fn resource(&mut self, resource: &Resource) {
        self.form(resource.form);
        self.expression(&resource.type_name);
        self.doc.space();
        self.token();
        match &*resource.bodies {
            // A comment before the title is about the body.
            [body] if !self.has_comment_inside() => {
                self.doc.space();
                self.only_body(body);
            }
            bodies => self.bodies(bodies),
        }
        self.token();
    }

    /// Writes `@` or `@@`, directly before the type.
    fn form(&mut self, form: ResourceForm) {
        if form == ResourceForm::Regular {
            return;
        }
        self.token();
        // `@(` would start a heredoc.
        if matches!(self.kind(), Some(TokenKind::LeftParen | TokenKind::LineParen)) {
            self.doc.space();
        }
    }

    /// Writes the only body of a resource: the title after the brace, attributes indented by one level.
    fn only_body(&mut self, body: &ResourceBody) {
        self.title(body);
        let has_lines = !body.attributes.is_empty();
        self.doc.group();
        self.attribute_lines(&body.attributes, false);
        self.doc.indent(1);
        self.skip(TokenKind::Semicolon);
        self.dangling_comments(!has_lines);
        self.doc.dedent();
        if has_lines {
            self.doc.hard_line();
        } else {
            self.doc.line();
        }
        self.doc.end_group(None);
    }

    /// Writes several bodies: titles indented by one level, attributes by two, a blank line between the bodies.
    fn bodies(&mut self, bodies: &[ResourceBody]) {
        self.doc.group();
        self.doc.indent(1);
        let mut index = 0;
        while let Some(body) = bodies.get(index) {
            self.doc.hard_line();
            if index > 0 {
                self.item();
                if !body.attributes.is_empty() || !bodies[index - 1].attributes.is_empty() {
                    self.item_apart();
                }
            }
            let kept = self.kept_at(span(body.range).0);
            match kept {
                Some(kept) => {
                    self.verbatim(kept.start, kept.end);
                    index += kept.count - 1;
                }
                None => self.title(body),
            }
            self.doc.group();
            if kept.is_none() {
                self.attribute_lines(&body.attributes, index + 1 < bodies.len());
            }
            index += 1;
            self.doc.indent(1);
            let has_comment = self.is_at(TokenKind::Semicolon) && self.has_comment();
            if has_comment {
                self.dangling_comments(body.attributes.is_empty());
                self.doc.hard_line();
            }
            self.skip(TokenKind::Semicolon);
            if index < bodies.len() {
                self.doc.word(";");
            }
            self.doc.dedent();
            self.doc.end_group(None);
        }
        self.dangling_comments(false);
        self.doc.dedent();
        self.doc.hard_line();
        self.doc.end_group(None);
    }

    fn title(&mut self, body: &ResourceBody) {
        self.expression(&body.title);
        // The colon.
        self.token();
    }

    /// Writes attributes, one per line, indented by one level. If a semicolon follows, the last comma must not be what makes its
    /// line too long.
    fn attribute_lines(&mut self, attributes: &[Attribute], before_semicolon: bool) {
        self.doc.indent(1);
        let columns = self.start_columns();
        let mut is_first = true;
        let mut attributes = attributes.iter();
        while let Some(attribute) = attributes.next() {
            self.skip_comma();
            self.doc.hard_line();
            if !is_first {
                self.item();
            }
            is_first = false;
            let (start, end) = span(attribute.range);
            if let Some(kept) = self.kept_at(start) {
                self.verbatim(kept.start, kept.end);
                (1..kept.count).for_each(|_| _ = attributes.next());
            } else if self.has_pragmas && self.is_skipped(end) {
                self.verbatim(start, end);
            } else {
                self.attribute(attribute);
            }
            if before_semicolon && attributes.len() == 0 {
                self.doc.if_room(",");
            } else {
                self.doc.word(",");
            }
        }
        self.skip_comma();
        self.align(columns);
        self.doc.dedent();
    }

    fn attribute(&mut self, attribute: &Attribute) {
        let mark = self.start_cell();
        self.token();
        self.column(mark);
        self.spaced_token();
        self.value(&attribute.value);
    }

    /// Writes `Type { … }` or `Type['title'] { … }`.
    pub(super) fn attributes_of(&mut self, form: ResourceForm, target: &Expr, attributes: &[Attribute]) {
        self.form(form);
        self.expression(target);
        self.attribute_block(attributes);
    }

    fn attribute_block(&mut self, attributes: &[Attribute]) {
        self.doc.space();
        self.token();
        if attributes.is_empty() && !self.has_comment_inside() {
            self.skip_comma();
            self.token();
            return;
        }
        self.doc.group();
        self.attribute_lines(attributes, false);
        self.doc.indent(1);
        self.dangling_comments(attributes.is_empty());
        self.doc.dedent();
        self.doc.hard_line();
        self.doc.end_group(None);
        self.token();
    }

    pub(super) fn collector(&mut self, collector: &Collector) {
        self.expression(&collector.type_ref);
        self.doc.space();
        self.token();
        self.doc.group();
        self.doc.indent(1);
        self.doc.line();
        if let Some(condition) = &collector.query.condition {
            self.operands(condition, 0);
        }
        self.dangling_comments(false);
        self.doc.dedent();
        self.doc.line();
        self.doc.end_group(None);
        self.token();
        if self.is_at(TokenKind::LeftBrace) {
            self.attribute_block(&collector.attributes);
        }
    }
}
