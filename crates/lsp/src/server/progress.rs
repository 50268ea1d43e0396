//! Progress reports of a folder's first check.

use lsp_types::{
    ProgressNotification, ProgressParams, ProgressToken, WorkDoneProgressBegin, WorkDoneProgressCreateParams,
    WorkDoneProgressCreateRequest, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use serde_json::Value;

use super::Server;
use super::requests::ClientRequest;
use crate::event::FolderId;
use crate::message::value_of;

/// A progress bar of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadingBar {
    /// The server has requested the progress bar; at that time, this many files of this many were checked.
    Asked(usize, usize),
    /// The bar is shown.
    Shown,
    /// The bar was removed, or the client doesn't have one.
    Gone,
}

impl Server {
    /// Handles the progress of a folder's check, in files.
    pub(super) fn loading(&mut self, folder: FolderId, done: usize, total: usize) {
        if !self.client.shows_progress {
            return;
        }
        match self.bars.get(&folder) {
            None if done < total => {
                self.bars.insert(folder, LoadingBar::Asked(done, total));
                let params = WorkDoneProgressCreateParams::new(token(folder));
                self.ask_client::<WorkDoneProgressCreateRequest>(&params, ClientRequest::Bar(folder));
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

    /// Handles the client's response: the bar was created, or the request was rejected.
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
