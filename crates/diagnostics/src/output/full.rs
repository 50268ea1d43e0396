//! Findings with excerpts of the source.

use std::io;
use std::sync::Arc;

use crate::render::{self, Color};
use crate::{Diagnostic, Sources};

pub(super) fn write(
    diagnostics: &[Arc<Diagnostic>],
    sources: &dyn Sources,
    color: Color,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    diagnostics.iter().try_for_each(|diagnostic| render::render(diagnostic, sources, color, out))
}
