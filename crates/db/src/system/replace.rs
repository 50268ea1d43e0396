//! How a file is replaced: step by step, so that whatever fails or ends the process, it is as it was or as it is to be.

use std::io;

use camino::Utf8Path;

/// The steps that replace a file. Tests let each of them fail.
pub(crate) trait Volume {
    /// A file in the making, beside the one that it is to replace. What is dropped is removed.
    type Draft;

    /// Makes an empty file in the folder of a path. Only the user may read it, unless there is nothing at the path yet.
    fn draft(&self, path: &Utf8Path) -> io::Result<Self::Draft>;

    /// Adds bytes.
    fn write(&self, draft: &mut Self::Draft, bytes: &[u8]) -> io::Result<()>;

    /// Gives it the owner, the group and the mode of what is at the path, if there is something.
    fn take_after(&self, draft: &mut Self::Draft, path: &Utf8Path) -> io::Result<()>;

    /// Waits until the bytes are on the disk.
    fn sync(&self, draft: &mut Self::Draft) -> io::Result<()>;

    /// Puts it in the place of what is at the path.
    fn replace(&self, draft: Self::Draft, path: &Utf8Path) -> io::Result<()>;

    /// Waits until the names in the folder of a path are on the disk.
    fn sync_folder(&self, path: &Utf8Path) -> io::Result<()>;
}

/// Replaces the file at a path without symbolic links, or makes it.
pub(crate) fn replace(volume: &impl Volume, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = volume.draft(path)?;
    volume.write(&mut draft, bytes)?;
    volume.take_after(&mut draft, path)?;
    // A name that is on the disk before its bytes are would be that of a broken file after a loss of power.
    volume.sync(&mut draft)?;
    volume.replace(draft, path)?;
    // The file is the new one; not every file system can promise that it stays so.
    let _ = volume.sync_folder(path);
    Ok(())
}
