//! Gives findings their levels, and writes them, in parallel.

use std::io;
use std::sync::Arc;

use marotte_db::Db as _;
use marotte_diagnostics::output::{self, Color, Format};
use marotte_diagnostics::{Diagnostic, Settings};

use super::Project;
use crate::ProjectSources;
use crate::driver::in_parallel;

/// The number of findings that one thread writes at a time.
const PART: usize = 64;

/// The number of parts that are kept until they are written in order.
const PARTS: usize = 256;

impl Project {
    /// Gives every finding its level and removes those that are not reported, as [`Settings::apply`] does.
    pub fn with_levels(&self, findings: &[Arc<Diagnostic>], settings: &Settings) -> Vec<Arc<Diagnostic>> {
        let parts: Vec<&[Arc<Diagnostic>]> = findings.chunks(PART).collect();
        let parts = in_parallel(self.db.clone(), &self.workers, &parts, |db, part| {
            let mut part = part.to_vec();
            let path = |id| db.files().by_id(id).map(|it| it.path(db).as_str());
            settings.apply(&mut part, path);
            part
        });
        parts.into_iter().flatten().collect()
    }

    /// Writes findings, which are in [order](output::sort), as [`output::write`] does.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(
        &self,
        format: Format,
        findings: &[Arc<Diagnostic>],
        color: Color,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        if !format.is_divisible() {
            return output::write(format, findings, &self.sources(), color, out);
        }
        for findings in findings.chunks(PART * PARTS) {
            let parts: Vec<&[Arc<Diagnostic>]> = findings.chunks(PART).collect();
            let texts = in_parallel(self.db.clone(), &self.workers, &parts, |db, part| {
                let mut text = Vec::new();
                output::write(format, part, &ProjectSources::new(db), color, &mut text).map(|()| text)
            });
            for text in texts {
                out.write_all(&text?)?;
            }
        }
        Ok(())
    }
}
