//! Reports on parts of the nodes, created by several processes: each report is written to a file, and all of them are merged into
//! one.

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{DiskSystem, System as _};
use marotte_impact::partial::{self, Inputs, Options, Part, Search, Shard};
use marotte_impact::{Ignore, Report};

use super::{finish, ignored, inputs};
use crate::Status;
use crate::args::ImpactArgs;
use crate::compilation::Compilation;
use crate::failure::Failure;

/// The maximum number of bytes of all files that are merged.
const LIMIT: u64 = 1 << 30;

/// A part whose nodes are not yet compared.
pub(super) struct PendingPart {
    shard: Shard,
    nodes: u32,
    inputs: Inputs,
    options: Options,
    disk: DiskSystem,
    output: Utf8PathBuf,
}

impl PendingPart {
    /// Records the inputs of a part. `names` are the names of all nodes.
    pub(super) fn new(
        shard: Shard,
        args: &ImpactArgs,
        sides: [&Compilation<'_>; 2],
        names: &[Option<String>],
        ignore: &Ignore,
    ) -> Result<PendingPart, Failure> {
        let disk = DiskSystem::new()?;
        let output = args.output.clone().unwrap_or_default();
        let folder = disk.absolute(&output).parent().map(Utf8Path::to_owned).unwrap_or_default();
        // Better now than after all the work.
        if !disk.is_directory(&folder) {
            return Err(Failure::no_folder(&folder));
        }
        let nodes = u32::try_from(names.len()).map_err(|_| format!("{} are too many nodes", names.len()))?;
        let options =
            Options { allow_incomplete: args.compilation.allow_incomplete, ignoring: ignored::flags(args) };
        let inputs = inputs::inputs(args, sides, names, ignore);
        Ok(PendingPart { shard, nodes, inputs, options, disk, output })
    }

    /// Writes the file. The status depends only on whether it was written, not on its content.
    pub(super) fn write(self, report: Report, search: Search) -> Result<Status, Failure> {
        let PendingPart { shard, nodes, inputs, options, disk, output } = self;
        if report.omitted > 0 {
            let message = format!("part {shard} has too many different changes: more parts are needed");
            return Err(Failure::Message(message));
        }
        let text = partial::write(&Part { shard, nodes, inputs, options, report, search });
        if text.len() as u64 > LIMIT {
            let message = format!(
                "part {shard} has {} bytes, more than the limit of {LIMIT}: more parts are needed",
                text.len()
            );
            return Err(Failure::Message(message));
        }
        let written = disk.write_atomically(&disk.absolute(&output), text.as_bytes());
        written.map_err(|error| format!("cannot write {output}: {error}"))?;
        Ok(Status::Clean)
    }
}

/// Merges the files of all parts, and writes the report.
pub(super) fn merge(args: &ImpactArgs) -> Result<Status, Failure> {
    let disk = DiskSystem::new()?;
    let (mut parts, mut left) = (Vec::new(), LIMIT);
    for path in &args.merge {
        let bytes = disk.read(&disk.absolute(path), left);
        let bytes = bytes.map_err(|error| format!("cannot read {path}: {error}"))?;
        left = left.saturating_sub(bytes.len() as u64);
        let part = partial::read(&bytes).map_err(|error| format!("{path} cannot be merged: {error}"))?;
        parts.push((path.to_string(), part));
    }
    let options = parts.first().map(|(_, it)| it.options.clone()).unwrap_or_default();
    let report = partial::merge(parts).map_err(|error| error.to_string())?;
    ignored::tell_unused(&options.ignoring, &report)?;
    finish(args.output_format, &report, options.allow_incomplete)
}
