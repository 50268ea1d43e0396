use std::ops::{Deref, Range};

use marotte_db::Db;
use marotte_db::{Environment, File, environment_of, source_text};
use marotte_diagnostics::{Diagnostic, Level, Related, rules};
use marotte_hiera::Layer;
use marotte_hiera::data::{Document, Inner, Places, Step};
use marotte_pcore::effort;
use marotte_pcore::value::Value;
use marotte_resolve::data_files::{HieraFile, HieraFileKind};
use marotte_text::{Str, TextRange, TextSize};

/// A file of data or of configuration, read.
#[derive(Clone, Copy)]
pub(crate) struct DataFile<'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) file: File,
    pub(crate) environment: Environment,
    pub(crate) layer: &'db Layer,
    /// Texts in it may be encrypted.
    pub(crate) encrypted: bool,
    pub(crate) document: &'db Document,
}

/// An entry at the top of a file of data.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'db> {
    pub(crate) key: &'db str,
    pub(crate) key_range: TextRange,
    pub(crate) value: &'db Value,
    pub(crate) places: &'db Places,
}

/// How large all entries of a file may be together, as extents count it, and for each byte of its text.
const LEAST_LEFT: usize = 1 << 20;
const EACH_BYTE: usize = 64;

impl<'db> DataFile<'db> {
    pub(crate) fn new(db: &'db dyn Db, file: File, hiera: &'db HieraFile, document: &'db Document) -> Self {
        DataFile {
            db,
            file,
            environment: environment_of(db, file),
            layer: &hiera.layer,
            encrypted: matches!(hiera.kind, HieraFileKind::Data { encrypted: true, .. }),
            document,
        }
    }

    /// The module whose data it is.
    pub(crate) fn module(&self) -> Option<&'db Str> {
        match self.layer {
            Layer::Module(name) => Some(name),
            _ => None,
        }
    }

    /// The entries at the top whose keys are texts. Those are not among them that are far larger than their text, because
    /// aliases in them stand for the same over and over.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry<'db>> + use<'db> {
        let mut left = LEAST_LEFT.saturating_add(EACH_BYTE.saturating_mul(self.text_length()));
        let entries = self.document.entries().into_iter().flatten();
        entries.filter_map(move |(key, key_range, value, places)| {
            left = left.checked_sub(value.extent().size())?;
            Some(Entry { key: key.as_str()?, key_range, value, places })
        })
    }

    fn text_length(&self) -> usize {
        source_text(self.db, self.file).text().len()
    }

    /// Where a part of a text stands: of `text`, which is what stands at `within`, these bytes. All of it where escapes or
    /// folded lines stand between.
    pub(crate) fn range_of(&self, within: TextRange, text: &str, part: Range<usize>) -> TextRange {
        let source = &source_text(self.db, self.file).text()[within];
        let before = text[..part.end].matches(&text[part.clone()]).count().saturating_sub(1);
        match source.match_indices(&text[part]).nth(before) {
            Some((at, found)) => {
                let at = TextSize::try_from(at).unwrap_or_default();
                TextRange::at(within.start() + at, TextSize::of(found))
            }
            None => within,
        }
    }

    /// Where a part of the document stands; its first line.
    pub(crate) fn range_at<'s>(&self, steps: impl IntoIterator<Item = &'s Step>) -> TextRange {
        self.document.range_at(steps)
    }
}

/// What a rule of data sees: one file, and where findings go.
pub(crate) struct DataContext<'db, 'f> {
    data: DataFile<'db>,
    findings: &'f mut Vec<Diagnostic>,
}

impl<'db> Deref for DataContext<'db, '_> {
    type Target = DataFile<'db>;

    fn deref(&self) -> &DataFile<'db> {
        &self.data
    }
}

impl<'db, 'f> DataContext<'db, 'f> {
    pub(crate) fn new(data: DataFile<'db>, findings: &'f mut Vec<Diagnostic>) -> Self {
        DataContext { data, findings }
    }

    /// Runs a rule. One that takes more effort than people's data does says nothing.
    pub(crate) fn within_effort(&mut self, rule: impl FnOnce(&mut Self)) {
        const STEPS: u64 = 100_000;
        const STEPS_FOR_EACH_BYTE: u64 = 100;
        let said = self.findings.len();
        let steps = STEPS.saturating_add(STEPS_FOR_EACH_BYTE.saturating_mul(self.text_length() as u64));
        if effort::within(steps, || rule(self)).is_err() {
            self.findings.truncate(said);
        }
    }

    /// Adds a finding, at the level of its rule.
    pub(crate) fn report(
        &mut self,
        rule: &'static str,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let level = rules::rule(rule).map_or(Level::Error, |it| it.level);
        let index = self.findings.len();
        self.findings.push(Diagnostic::new(
            rule,
            level,
            self.data.file.id(self.data.db),
            range,
            message.into(),
        ));
        &mut self.findings[index]
    }

    /// Another place of the same file.
    pub(crate) fn related(&self, range: TextRange, message: impl Into<String>) -> Related {
        Related { file: self.file.id(self.db), range, message: message.into() }
    }
}

/// The texts in a value, those of keys included, with where they stand.
pub(crate) fn strings<'v>(value: &'v Value, places: &'v Places) -> Vec<(&'v str, TextRange)> {
    let mut found = Vec::new();
    collect(value, places, &mut found);
    found
}

fn collect<'v>(value: &'v Value, places: &'v Places, found: &mut Vec<(&'v str, TextRange)>) {
    match (value, &places.inner) {
        (Value::String(text), _) => found.push((text, places.range)),
        (Value::Array(elements), Inner::Elements(inner)) => {
            elements.iter().zip(inner.iter()).for_each(|(it, places)| collect(it, places, found));
        }
        _ => {
            for (key, at, value, places) in places.entries(value).into_iter().flatten() {
                found.extend(key.as_str().map(|it| (it, at)));
                collect(value, places, found);
            }
        }
    }
}
