//! The objects of [`json`], one a line.

use std::io;

use super::json;
use crate::{Diagnostic, Sources};

pub(super) fn write(
    diagnostics: &[Diagnostic],
    sources: &dyn Sources,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    diagnostics.iter().try_for_each(|diagnostic| writeln!(out, "{}", json::object(diagnostic, sources)?))
}
