use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};

use crate::system::WriteRefusal;
use crate::system::replace::{Volume, replace};
use crate::{MemorySystem, System};

/// A fault while a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The disk is full after this number of bytes.
    Full(usize),
    /// The step fails with an error.
    Error,
    /// The process ends, or the machine loses power: no further step runs, and bytes that weren't synced are lost.
    Kill,
}

/// Files in memory whose writing fails at one step.
///
/// It behaves like a disk: bytes that weren't synced are lost when the power fails.
#[derive(Debug)]
pub struct FaultySystem {
    memory: MemorySystem,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    fault: Fault,
    /// The number of steps until the fault.
    left: usize,
    killed: bool,
    /// Files whose bytes haven't been synced.
    unsynced: BTreeSet<Utf8PathBuf>,
    drafts: usize,
}

impl FaultySystem {
    /// Creates a system that fails after `after` steps of writing.
    pub fn new(memory: MemorySystem, fault: Fault, after: usize) -> FaultySystem {
        let state = State { fault, left: after, killed: false, unsynced: BTreeSet::new(), drafts: 0 };
        FaultySystem { memory, state: Mutex::new(state) }
    }

    /// Ends the process, and returns the disk's contents at that point. Of files that weren't synced, half of the bytes
    /// survive.
    pub fn after_crash(self) -> MemorySystem {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        for path in &state.unsynced {
            if let Ok(bytes) = self.memory.read(path, u64::MAX) {
                self.memory.write_file(path, &bytes[..bytes.len() / 2]);
            }
        }
        self.memory
    }

    /// Whether the process has ended.
    pub fn is_killed(&self) -> bool {
        self.state().killed
    }

    /// Writes a file the wrong way: step by step into the file itself.
    ///
    /// # Errors
    /// If a step fails.
    pub fn write_in_place(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        self.step(path, &[])?;
        self.memory.write_file(path, "");
        self.state().unsynced.insert(path.to_owned());
        let mut path = Draft { path: path.to_owned(), system: self };
        let written = self.write(&mut path, bytes);
        std::mem::forget(path);
        written
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs one step. Returns the part of these bytes that it may write.
    fn step<'b>(&self, path: &Utf8Path, bytes: &'b [u8]) -> io::Result<&'b [u8]> {
        let mut state = self.state();
        if state.killed {
            return Err(io::Error::other("the process has ended"));
        }
        if state.left > 0 {
            state.left -= 1;
            return Ok(bytes);
        }
        match state.fault {
            Fault::Full(room) if bytes.len() > room => {
                drop(state);
                self.append(path, &bytes[..room]);
                Err(io::ErrorKind::StorageFull.into())
            }
            Fault::Full(_) => Ok(bytes),
            Fault::Error => {
                state.left = usize::MAX;
                Err(io::Error::other("input/output error"))
            }
            Fault::Kill => {
                state.killed = true;
                Err(io::Error::other("the process has ended"))
            }
        }
    }

    fn append(&self, path: &Utf8Path, bytes: &[u8]) {
        let mut all = self.memory.read(path, u64::MAX).unwrap_or_default();
        all.extend_from_slice(bytes);
        self.memory.write_file(path, all);
    }
}

/// A file being written.
pub(crate) struct Draft<'s> {
    path: Utf8PathBuf,
    system: &'s FaultySystem,
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.system.is_killed() {
            self.system.memory.remove(&self.path);
        }
    }
}

impl<'s> Volume for &'s FaultySystem {
    type Draft = Draft<'s>;

    fn draft(&self, path: &Utf8Path) -> io::Result<Draft<'s>> {
        self.step(path, &[])?;
        let mut state = self.state();
        state.drafts += 1;
        let path = Utf8PathBuf::from(format!("{path}.{}.new", state.drafts));
        state.unsynced.insert(path.clone());
        drop(state);
        self.memory.write_file(&path, "");
        Ok(Draft { path, system: self })
    }

    fn write(&self, draft: &mut Draft<'s>, bytes: &[u8]) -> io::Result<()> {
        let written = self.step(&draft.path, bytes)?;
        self.append(&draft.path, written);
        Ok(())
    }

    fn take_after(&self, draft: &mut Draft<'s>, _: &Utf8Path) -> io::Result<()> {
        self.step(&draft.path, &[]).map(drop)
    }

    fn sync(&self, draft: &mut Draft<'s>) -> io::Result<()> {
        self.step(&draft.path, &[])?;
        self.state().unsynced.remove(&draft.path);
        Ok(())
    }

    fn replace(&self, draft: Draft<'s>, path: &Utf8Path) -> io::Result<()> {
        self.step(&draft.path, &[])?;
        let bytes = self.memory.read(&draft.path, u64::MAX).map_err(io::Error::other)?;
        self.memory.write_file(path, bytes);
        let mut state = self.state();
        if state.unsynced.contains(&draft.path) {
            state.unsynced.insert(path.to_owned());
        }
        Ok(())
    }

    fn sync_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.step(path, &[]).map(drop)
    }
}

impl crate::system::Layer for FaultySystem {
    fn base(&self) -> &dyn System {
        &self.memory
    }

    fn write_atomically(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        replace(&self, path, bytes)
    }

    fn write_direct(&self, path: &Utf8Path, old: Option<&[u8]>, bytes: &[u8]) -> io::Result<()> {
        if old.is_some_and(|old| self.memory.read(path, u64::MAX).as_deref() != Ok(old)) {
            return Err(io::Error::other(WriteRefusal::Changed));
        }
        replace(&self, path, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: usize = 8;

    fn after(
        fault: Fault,
        steps: usize,
        write: fn(&FaultySystem, &Utf8Path, &[u8]) -> io::Result<()>,
    ) -> (bool, String) {
        let system = FaultySystem::new(MemorySystem::with_files([("/x", "old text")]), fault, steps);
        let written = write(&system, "/x".into(), b"new text").is_ok();
        let bytes = system.after_crash().read("/x".into(), 99).unwrap();
        (written, String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn a_file_that_is_replaced_is_old_or_new() {
        for steps in 0..STEPS {
            for fault in [Fault::Full(3), Fault::Error, Fault::Kill] {
                let (written, text) = after(fault, steps, System::write_atomically);
                assert!(["old text", "new text"].contains(&text.as_str()), "{fault:?} {steps}: {text}");
                assert!(!written || text == "new text", "{fault:?} {steps}");
                assert!(written || fault == Fault::Kill || text == "old text", "{fault:?} {steps}");
            }
        }
    }

    #[test]
    fn a_file_that_is_written_in_place_is_lost() {
        let texts = (0..STEPS).map(|steps| after(Fault::Kill, steps, FaultySystem::write_in_place).1);
        assert!(texts.into_iter().any(|it| it.is_empty() || it == "new "));
        assert_eq!(after(Fault::Full(3), 1, FaultySystem::write_in_place).1, "n");
    }
}
