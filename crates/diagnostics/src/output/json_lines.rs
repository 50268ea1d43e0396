//! The objects of [`json`], one per line.

use std::io;
use std::sync::Arc;

use super::json;
use crate::{Diagnostic, Sources};

pub(super) fn write(
    diagnostics: &[Arc<Diagnostic>],
    sources: &dyn Sources,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    diagnostics.iter().try_for_each(|diagnostic| writeln!(out, "{}", json::object(diagnostic, sources)?))
}
