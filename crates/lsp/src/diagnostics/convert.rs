//! Converts findings to the protocol's diagnostics.

use foldhash::{HashMap, HashMapExt as _};
use lsp_types::{
    Code, CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Range, Uri,
};
use marotte_db::{Db as _, File};
use marotte_diagnostics::{Diagnostic as Finding, FileId, Level};
use marotte_text::TextRange;
use serde_json::json;

use super::tags::tag;
use crate::commands::page;
use crate::snapshot::{Snapshot, Text};

/// The source of diagnostics that editors display.
pub(crate) const SOURCE: &str = "marotte";

/// Converts many findings to diagnostics; computes the lines of each file only once.
pub(crate) struct Converter<'a> {
    snapshot: &'a Snapshot,
    texts: HashMap<File, Text>,
}

impl<'a> Converter<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot) -> Self {
        Converter { snapshot, texts: HashMap::new() }
    }

    /// Converts a finding to the protocol's diagnostic.
    pub(crate) fn diagnostic(&mut self, finding: &Finding) -> Diagnostic {
        let client = &self.snapshot.client;
        let related = finding.related.iter().filter_map(|it| {
            Some(DiagnosticRelatedInformation::new(self.location(it.file, it.range)?, it.message.clone()))
        });
        let related: Vec<_> = if client.related_information { related.collect() } else { Vec::new() };
        let mut message = finding.message.clone();
        for note in &finding.notes {
            message.push('\n');
            message.push_str(note);
        }
        Diagnostic {
            range: self.range(finding.file, finding.range),
            severity: Some(match finding.level {
                Level::Error => DiagnosticSeverity::Error,
                Level::Warning => DiagnosticSeverity::Warning,
                Level::Ignore => DiagnosticSeverity::Hint,
            }),
            code: Some(Code::String(finding.rule.name.to_owned())),
            code_description: self.description(finding.rule.name),
            source: Some(SOURCE.to_owned()),
            message: message.into(),
            tags: tag(finding.rule).map(|it| vec![it]),
            related_information: (!related.is_empty()).then_some(related),
            data: client.diagnostic_data.then(|| match &finding.fix {
                Some(fix) => json!({ "rule": finding.rule.name, "fix": fix.title, "safe": fix.safe }),
                None => json!({ "rule": finding.rule.name }),
            }),
        }
    }

    /// The range of a finding in its file; the start of the document if the file doesn't exist.
    fn range(&mut self, file: FileId, range: TextRange) -> Range {
        self.location(file, range).map(|it| it.range).unwrap_or_default()
    }

    fn location(&mut self, file: FileId, range: TextRange) -> Option<Location> {
        let snapshot = self.snapshot;
        let file = snapshot.db.files().by_id(file)?;
        let text = self.texts.entry(file).or_insert_with(|| snapshot.text(file));
        Some(Location::new(snapshot.uri(file.path(&snapshot.db)), snapshot.range(text, range)))
    }

    /// The URI of a rule's page: the one in the settings, or a document of the server if the client can show it.
    fn description(&self, rule: &str) -> Option<CodeDescription> {
        let Snapshot { client, server, .. } = self.snapshot;
        if !client.code_description {
            return None;
        }
        let href = match &server.rule_pages {
            Some(pages) => Uri(format!("{pages}{rule}")),
            None if client.reads_content => page::uri_of_rule(rule),
            None => return None,
        };
        Some(CodeDescription::new(href))
    }
}
