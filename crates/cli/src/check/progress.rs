use std::io::{self, IsTerminal as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use marotte_project::Progress;

use super::options::Options;

/// The time after which a progress bar is shown.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs an operation over a number of files, with a progress bar if it takes long and the output is a terminal.
pub(super) fn with<T>(options: &Options, files: usize, run: impl FnOnce(&dyn Progress) -> T) -> T {
    if options.quiet || !io::stderr().is_terminal() {
        return run(&());
    }
    let bar = LateBar {
        started: Instant::now(),
        files: files as u64,
        done: AtomicU64::new(0),
        bar: OnceLock::new(),
    };
    let result = run(&bar);
    if let Some(bar) = bar.bar.get() {
        bar.finish_and_clear();
    }
    result
}

struct LateBar {
    started: Instant,
    files: u64,
    done: AtomicU64,
    bar: OnceLock<ProgressBar>,
}

impl Progress for LateBar {
    fn file_done(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let bar = ProgressBar::with_draw_target(Some(self.files), ProgressDrawTarget::stderr());
            match ProgressStyle::with_template("checking {wide_bar} {pos}/{len} files") {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        bar.set_position(done);
    }
}
