//! Replaces a file step by step, so that it has either the old or the new content, even if a step fails or the process ends.

use std::io;

use camino::Utf8Path;

/// The steps that replace a file. Tests make each of them fail.
pub(crate) trait Volume {
    /// A temporary file next to the one that it will replace. It is removed when dropped.
    type Draft;

    /// Creates an empty file in the folder of a path. Only the user may read it, unless nothing exists at the path yet.
    fn draft(&self, path: &Utf8Path) -> io::Result<Self::Draft>;

    /// Appends bytes to the draft.
    fn write(&self, draft: &mut Self::Draft, bytes: &[u8]) -> io::Result<()>;

    /// Copies the owner, the group and the mode of the file at the path, if there is one.
    fn take_after(&self, draft: &mut Self::Draft, path: &Utf8Path) -> io::Result<()>;

    /// Waits until the bytes are on the disk.
    fn sync(&self, draft: &mut Self::Draft) -> io::Result<()>;

    /// Moves the draft over the file at the path.
    fn replace(&self, draft: Self::Draft, path: &Utf8Path) -> io::Result<()>;

    /// Waits until the names in the folder of a path are on the disk.
    fn sync_folder(&self, path: &Utf8Path) -> io::Result<()>;
}

/// Replaces the file at a path without symbolic links, or creates it.
pub(crate) fn replace(volume: &impl Volume, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = volume.draft(path)?;
    volume.write(&mut draft, bytes)?;
    volume.take_after(&mut draft, path)?;
    // If the name reached the disk before the bytes, a loss of power would leave a broken file.
    volume.sync(&mut draft)?;
    volume.replace(draft, path)?;
    // The new file is in place; not every file system can guarantee that it survives a crash.
    let _ = volume.sync_folder(path);
    Ok(())
}
