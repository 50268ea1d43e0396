//! Connections: the source and the destination of messages.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::framing;
use crate::message::{Malformed, Message};
use crate::peer::Peer;

/// The number of received messages that may wait to be handled; further ones wait in the stream.
const WAITING: usize = 256;

/// Two channels of messages. The incoming one is closed when the other side disconnects.
#[derive(Debug)]
pub struct Connection {
    /// The messages received from the other side.
    pub incoming: Receiver<Result<Message, Malformed>>,
    /// The messages to the other side.
    pub outgoing: Sender<Message>,
    writer: Option<JoinHandle<()>>,
}

impl Connection {
    /// Connects to standard input and output.
    pub fn stdio() -> Connection {
        Connection::over(io::stdin(), io::stdout())
    }

    /// Waits for a client that connects to a port of this machine's loopback address; 0 for any free port. `listening` is
    /// called with the actual port.
    ///
    /// # Errors
    /// If the port isn't available.
    pub fn tcp(port: u16, listening: impl FnOnce(u16)) -> io::Result<Connection> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listening(listener.local_addr()?.port());
        let (stream, _) = listener.accept()?;
        stream.set_nodelay(true)?;
        Ok(Connection::over(stream.try_clone()?, stream))
    }

    /// Creates two connected ends: messages sent by one are received by the other.
    pub fn memory() -> (Connection, Peer) {
        let (to_server, incoming) = unbounded();
        let (outgoing, from_server) = unbounded();
        (Connection { incoming, outgoing, writer: None }, Peer::new(to_server, from_server))
    }

    /// Connects to two streams of bytes, each handled by a thread of its own.
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

    /// Waits until all sent messages are written.
    pub(crate) fn finish(self) {
        drop(self.outgoing);
        if let Some(writer) = self.writer {
            // If the client no longer reads, the rest is lost.
            let _ = writer.join();
        }
    }
}
