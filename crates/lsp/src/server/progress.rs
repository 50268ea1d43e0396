//! How far the first check of a folder is, for people who wait for it.

use lsp_types::{
    ProgressNotification, ProgressParams, ProgressToken, WorkDoneProgressBegin, WorkDoneProgressCreateParams,
    WorkDoneProgressCreateRequest, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use serde_json::Value;

use super::Server;
use super::requests::Awaited;
use crate::event::FolderId;
use crate::message::value_of;

/// A bar that the client shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadingBar {
    /// The client was asked for one; so many files of so many were done then.
    Asked(usize, usize),
    /// It is shown.
    Shown,
    /// It is there no longer, or the client has none.
    Gone,
}

impl Server {
    /// So many files of a folder are checked.
    pub(super) fn loading(&mut self, folder: FolderId, done: usize, total: usize) {
        if !self.client.shows_progress {
            return;
        }
        match self.bars.get(&folder) {
            None if done < total => {
                self.bars.insert(folder, LoadingBar::Asked(done, total));
                let params = WorkDoneProgressCreateParams::new(token(folder));
                self.ask_client::<WorkDoneProgressCreateRequest>(&params, Awaited::Bar(folder));
            }
            Some(LoadingBar::Asked(..)) => {
                self.bars.insert(folder, LoadingBar::Asked(done, total));
            }
            Some(LoadingBar::Shown) if done < total => {
                let report = WorkDoneProgressReport {
                    cancellable: None,
                    message: Some(format!("{done} of {total} files")),
                    percentage: Some(percentage(done, total)),
                };
                self.progress(folder, value_of(&report));
            }
            Some(LoadingBar::Shown) => {
                let message = Some(format!("{total} files"));
                self.progress(folder, value_of(&WorkDoneProgressEnd { message }));
                self.bars.insert(folder, LoadingBar::Gone);
            }
            Some(LoadingBar::Gone) | None => {}
        }
    }

    /// The client has made a bar, or refused.
    pub(super) fn bar_is_made(&mut self, folder: FolderId, is_made: bool) {
        let Some(&LoadingBar::Asked(done, total)) = self.bars.get(&folder) else { return };
        if !is_made || done >= total {
            self.bars.insert(folder, LoadingBar::Gone);
            return;
        }
        self.bars.insert(folder, LoadingBar::Shown);
        let begin = WorkDoneProgressBegin {
            title: "Checking Puppet code".to_owned(),
            cancellable: None,
            message: Some(format!("{done} of {total} files")),
            percentage: Some(percentage(done, total)),
        };
        self.progress(folder, value_of(&begin));
    }

    fn progress(&self, folder: FolderId, value: Value) {
        self.notify::<ProgressNotification>(&ProgressParams::new(token(folder), value));
    }
}

fn token(folder: FolderId) -> ProgressToken {
    ProgressToken::String(format!("marotte/loading/{}", folder.0))
}

fn percentage(done: usize, total: usize) -> u32 {
    u32::try_from(done * 100 / total.max(1)).unwrap_or(100)
}
