//! The main loop, which reads messages.

mod capabilities;
mod diagnostics;
mod documents;
mod folders;
mod parent;
mod progress;
mod requests;

use std::collections::BTreeMap;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use foldhash::{HashMap, HashMapExt as _};
use lsp_types::{
    ErrorCodes, InitializeParams, InitializeResult, LogMessageNotification, LogMessageParams, MessageType,
    ServerInfo, ShowMessageNotification, ShowMessageParams,
};
use marotte_db::System;
use serde_json::{Map, Value};

use crate::analysis::Folder;
use crate::client::Client;
use crate::connection::Connection;
use crate::documents::Documents;
use crate::event::{Event, FolderId};
use crate::message::{Id, Malformed, Message, Notification, Request, Response, ResponseError, value_of};
use crate::pool::Pool;
use crate::settings::{self, Configuration, ServerSettings};
use diagnostics::Published;
use progress::LoadingBar;
use requests::{ClientRequest, Pending};

/// The options of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The outside world, without the open documents.
    pub system: Arc<dyn System>,
    /// The reader of folders' configurations.
    pub configuration: Arc<dyn Configuration>,
    /// The program's version, which clients display.
    pub version: String,
}

/// The way in which a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Regularly: the client requested a shutdown, and then an exit.
    Asked,
    /// Without a shutdown request: the client requested an exit, or disconnected.
    Early,
}

/// Serves one client until the session ends.
pub fn serve(connection: Connection, options: Options) -> Exit {
    let (events, happened) = unbounded();
    let server = Server {
        outgoing: connection.outgoing.clone(),
        events,
        options,
        phase: Phase::Fresh,
        client: Arc::default(),
        server: Arc::default(),
        settings: Map::new(),
        initial: Value::Null,
        pool: Pool::new(),
        documents: Documents::default(),
        folders: BTreeMap::new(),
        loose: None,
        next_folder: 0,
        pending: HashMap::new(),
        awaited: HashMap::new(),
        next_request: 0,
        published: Published::default(),
        bars: BTreeMap::new(),
        is_stale: false,
    };
    let exit = server.run(&connection.incoming, &happened);
    connection.finish();
    exit
}

/// The phase of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The client hasn't initialized the session.
    Fresh,
    Running,
    /// The client has requested a shutdown.
    ShutDown,
}

struct Server {
    outgoing: Sender<Message>,
    events: Sender<Event>,
    options: Options,
    phase: Phase,
    client: Arc<Client>,
    server: Arc<ServerSettings>,
    /// The client's settings, by the names of `marotte.toml`.
    settings: Map<String, Value>,
    /// The settings with which the session began. They are in effect while the client has no others.
    initial: Value,
    pool: Pool,
    documents: Documents,
    folders: BTreeMap<FolderId, Folder>,
    /// The loose folder, for documents outside of all other folders.
    loose: Option<FolderId>,
    next_folder: usize,
    /// The client's unanswered requests.
    pending: HashMap<Id, Pending>,
    /// The server's unanswered requests.
    awaited: HashMap<i64, ClientRequest>,
    next_request: i64,
    published: Published,
    bars: BTreeMap<FolderId, LoadingBar>,
    /// The lenses, hints and tokens that the client shows for a document may be outdated because of an edit of another one.
    is_stale: bool,
}

impl Server {
    fn run(mut self, incoming: &Receiver<Result<Message, Malformed>>, happened: &Receiver<Event>) -> Exit {
        loop {
            select! {
                recv(incoming) -> message => match message {
                    Ok(message) => if let Some(exit) = self.message(message) {
                        return exit;
                    },
                    Err(_) => return self.exit(),
                },
                recv(happened) -> event => match event {
                    Ok(Event::ClientGone) | Err(_) => return self.exit(),
                    Ok(event) => self.event(event),
                },
            }
        }
    }

    fn exit(&self) -> Exit {
        if self.phase == Phase::ShutDown { Exit::Asked } else { Exit::Early }
    }

    fn message(&mut self, message: Result<Message, Malformed>) -> Option<Exit> {
        match message {
            Err(Malformed { id, error }) => self.respond(id, Err(error)),
            Ok(Message::Notification(it)) if it.method == "exit" => return Some(self.exit()),
            Ok(Message::Request(request)) => self.request(request),
            Ok(Message::Notification(notification)) if self.phase == Phase::Running => {
                self.notification(notification);
            }
            // Notifications that come too early or too late are ignored, as the protocol demands.
            Ok(Message::Notification(_)) => {}
            Ok(Message::Response(response)) => self.response(response),
        }
        None
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let refused = match (self.phase, method.as_str()) {
            (Phase::Fresh, "initialize") => return self.initialize(id, params),
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                self.cancel_all();
                return self.respond(id, Ok(Value::Null));
            }
            (Phase::Running, "initialize") => {
                ResponseError::new(ErrorCodes::InvalidRequest, "the session has begun already")
            }
            (Phase::Running, _) => return self.ask(id, &method, params),
            (Phase::Fresh, _) => {
                ResponseError::new(ErrorCodes::ServerNotInitialized, "`initialize` comes first")
            }
            (Phase::ShutDown, _) => {
                ResponseError::new(ErrorCodes::InvalidRequest, "the session has been shut down")
            }
        };
        self.respond(id, Err(refused));
    }

    fn initialize(&mut self, id: Id, params: Value) {
        let params: InitializeParams = match serde_json::from_value(params) {
            Ok(params) => params,
            Err(error) => {
                let error = ResponseError::invalid_params(format!("`initialize`: {error}"));
                return self.respond(id, Err(error));
            }
        };
        let set = params.initialization_options.clone().unwrap_or_default();
        match settings::split(&set) {
            Ok((server, settings)) => {
                self.server = Arc::new(server);
                self.settings = settings;
            }
            Err(error) => self.show(MessageType::Warning, error.message),
        }
        self.initial = set;
        self.client = Arc::new(Client::new(&params, &self.server));
        self.phase = Phase::Running;
        let result = InitializeResult {
            capabilities: capabilities::of(&self.client),
            server_info: Some(ServerInfo {
                name: "marotte".to_owned(),
                version: Some(self.options.version.clone()),
            }),
        };
        self.respond(id, Ok(value_of(&result)));
        parent::watch(params.process_id, self.events.clone());
        self.open_folders(&params);
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let outcome = match method.as_str() {
            "initialized" => {
                self.register();
                Ok(())
            }
            "$/cancelRequest" => parsed(params).map(|it| self.cancel_request(it)),
            "textDocument/didOpen" => parsed(params).and_then(|it| self.opened(it)),
            "textDocument/didChange" => parsed(params).and_then(|it| self.changed(it)),
            "textDocument/didClose" => parsed(params).and_then(|it| self.closed(it)),
            "textDocument/didSave" => parsed(params).map(|it| self.saved(&it)),
            "workspace/didChangeWatchedFiles" => parsed(params).map(|it| self.files_changed(it)),
            "workspace/didCreateFiles" => parsed(params).map(|it| self.files_created(it)),
            "workspace/didRenameFiles" => parsed(params).map(|it| self.files_renamed(it)),
            "workspace/didDeleteFiles" => parsed(params).map(|it| self.files_deleted(it)),
            "workspace/didChangeConfiguration" => parsed(params).map(|it| self.configuration_changed(it)),
            "workspace/didChangeWorkspaceFolders" => parsed(params).map(|it| self.folders_changed(it)),
            // `$/setTrace` and others that a server may ignore, and unknown ones.
            _ => Ok(()),
        };
        if let Err(error) = outcome {
            self.log(MessageType::Warning, format!("`{method}`: {error}"));
        }
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Answered { id, result } => self.answered(&id, result),
            Event::Overtaken { folder, question } => self.overtaken(folder, question),
            Event::Diagnosed { folder, check, scope, diagnosed } => {
                self.diagnosed(folder, check, scope, diagnosed);
            }
            Event::Settled { folder, id } => self.settled(folder, &id),
            Event::Loading { folder, done, total } => self.loading(folder, done, total),
            Event::Configured { folder, error } => self.configured(folder, error),
            Event::Note { message } => self.show(MessageType::Info, message),
            Event::Problem { message } => self.show(MessageType::Error, message),
            Event::ClientGone => {}
        }
    }

    fn respond(&self, id: Id, result: Result<Value, ResponseError>) {
        self.send(Message::Response(Response { id, result }));
    }

    fn notify<N: lsp_types::Notification>(&self, params: &N::Params) {
        self.send(Message::notification::<N>(params));
    }

    fn send(&self, message: Message) {
        // Messages to a client that is gone are lost; the loop notices it.
        let _ = self.outgoing.send(message);
    }

    /// Shows a message to the user.
    fn show(&self, kind: MessageType, message: String) {
        self.notify::<ShowMessageNotification>(&ShowMessageParams::new(kind, message));
    }

    /// Writes a message to the client's log.
    fn log(&self, kind: MessageType, message: String) {
        self.notify::<LogMessageNotification>(&LogMessageParams::new(kind, message));
    }
}

/// The parameters of a notification.
fn parsed<T: serde::de::DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}
