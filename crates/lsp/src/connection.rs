//! Where messages come from, and where they go.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::framing;
use crate::message::{Malformed, Message};
use crate::peer::Peer;

/// So many messages may wait to be looked at; more wait in the stream.
const WAITING: usize = 256;

/// Two channels of messages. What comes ends when the other side has gone.
#[derive(Debug)]
pub struct Connection {
    /// What the other side sends.
    pub incoming: Receiver<Result<Message, Malformed>>,
    /// What the other side gets.
    pub outgoing: Sender<Message>,
    writer: Option<JoinHandle<()>>,
}

impl Connection {
    /// Standard input and output.
    pub fn stdio() -> Connection {
        Connection::over(io::stdin(), io::stdout())
    }

    /// Waits for a client that connects to a port of this machine's loopback address; 0 for any port that is free. `listening` is
    /// told which it is.
    ///
    /// # Errors
    /// If the port cannot be had.
    pub fn tcp(port: u16, listening: impl FnOnce(u16)) -> io::Result<Connection> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listening(listener.local_addr()?.port());
        let (stream, _) = listener.accept()?;
        stream.set_nodelay(true)?;
        Ok(Connection::over(stream.try_clone()?, stream))
    }

    /// Two ends that are connected with each other: what one sends, the other gets.
    pub fn memory() -> (Connection, Peer) {
        let (to_server, incoming) = unbounded();
        let (outgoing, from_server) = unbounded();
        (Connection { incoming, outgoing, writer: None }, Peer::new(to_server, from_server))
    }

    /// Two streams of bytes, each with a thread of its own.
    pub fn over(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Connection {
        let (received, incoming) = bounded(WAITING);
        let (outgoing, to_send) = unbounded::<Message>();
        thread::spawn(move || {
            let mut input = BufReader::new(input);
            while let Ok(Some(message)) = framing::read(&mut input) {
                if received.send(message).is_err() {
                    break;
                }
            }
        });
        let writer = thread::spawn(move || {
            let mut output = BufWriter::new(output);
            for message in to_send {
                if framing::write(&mut output, &message).is_err() {
                    break;
                }
            }
        });
        Connection { incoming, outgoing, writer: Some(writer) }
    }

    /// Waits until everything is written that was sent.
    pub(crate) fn finish(self) {
        drop(self.outgoing);
        if let Some(writer) = self.writer {
            // A client that reads no more hears nothing, either.
            let _ = writer.join();
        }
    }
}
