//! Programs of the machine. A separate thread reads or writes each pipe, so that waiting has a limit on every platform.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::system::DiskSystem;
use crate::system::process::{MESSAGE_LIMIT, Process, Processes, Program, Received};

/// The part of the standard error of a program that is kept, in bytes.
const SAID_LIMIT: usize = 4096;

/// The time that a program has to exit on its own once its standard input is closed.
const PATIENCE: Duration = Duration::from_millis(200);

/// The time to wait for the remaining standard error of a program that has ended.
const LAST_WORDS: Duration = Duration::from_millis(500);

impl Processes for DiskSystem {
    fn start(&self, program: &Program<'_>) -> io::Result<Box<dyn Process>> {
        let mut command = Command::new(program.program);
        command.args(program.arguments).env_clear().envs(program.environment.iter().copied());
        // The meaning of a relative path in `PATH` must not depend on the folder where marotte was started.
        command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take()).zip(child.stderr.take());
        let mut running = Running { child, input: None, output: None, said: Arc::default(), ended: None };
        if let Some(((input, output), complaints)) = pipes {
            running.connect(input, output, complaints)?;
        }
        Ok(Box::new(running))
    }

    fn output(&self, command: &[&str], time: Duration, limit: usize) -> Result<Vec<u8>, String> {
        let start = Instant::now();
        let (path, arguments) = command.split_first().ok_or("there is no command")?;
        let mut command = Command::new(path);
        command.args(arguments).current_dir(&self.current_dir);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let pipes = child.stdout.take().zip(child.stderr.take());
        let said = Arc::default();
        let mut running = Running { child, input: None, output: None, said, ended: None };
        let (output, complaints) = pipes.ok_or("it has no output")?;
        let (sender, receiver) = sync_channel(1);
        let said = Arc::clone(&running.said);
        let thread = || thread::Builder::new().name("process".to_owned()).stack_size(256 << 10);
        let most = limit as u64 + 1;
        let read = move || {
            let mut bytes = Vec::new();
            let read = output.take(most).read_to_end(&mut bytes);
            // Nobody waits for an output that is late.
            let _ = sender.send(read.map(|_| bytes));
        };
        thread().spawn(read).map_err(|error| error.to_string())?;
        thread().spawn(move || listen(complaints, &said)).map_err(|error| error.to_string())?;
        let late = || format!("it has not ended after {} s", time.as_secs_f64());
        let bytes = receiver.recv_timeout(time.saturating_sub(start.elapsed())).map_err(|_| late())?;
        let bytes = bytes.map_err(|error| error.to_string())?;
        if bytes.len() > limit {
            return Err(format!("its output has more than {limit} bytes"));
        }
        running.await_end(time.saturating_sub(start.elapsed()));
        if !running.is_over() {
            return Err(late());
        }
        let ended = running.end();
        match running.child.wait() {
            Ok(status) if status.success() => Ok(bytes),
            _ => Err(ended),
        }
    }
}

/// A program that was started.
#[derive(Debug)]
struct Running {
    child: Child,
    /// The channel to the writing thread. None once the program was ended.
    input: Option<Sender<Vec<u8>>>,
    output: Option<Receiver<Received>>,
    /// The beginning of the program's standard error, and whether the program closed it.
    said: Arc<Mutex<(Vec<u8>, bool)>>,
    ended: Option<String>,
}

impl Running {
    /// Starts the threads that read and write the pipes.
    fn connect(&mut self, input: ChildStdin, output: ChildStdout, complaints: ChildStderr) -> io::Result<()> {
        let (sender, messages) = channel();
        // The bounded channel makes a program that floods its output wait.
        let (found, receiver) = sync_channel(1);
        self.input = Some(sender);
        self.output = Some(receiver);
        let said = Arc::clone(&self.said);
        let thread = || thread::Builder::new().name("process".to_owned()).stack_size(256 << 10);
        thread().spawn(move || write_all(input, &messages))?;
        thread().spawn(move || read_all(output, &found))?;
        thread().spawn(move || listen(complaints, &said))?;
        Ok(())
    }

    /// Waits until the program has ended, for a limited time.
    fn await_end(&mut self, wait: Duration) {
        let start = Instant::now();
        while !self.is_over() && start.elapsed() < wait {
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether the program has ended. Its process ID stays reserved until it's waited for.
    #[cfg(unix)]
    fn is_over(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        id.is_none_or(|it| !matches!(waitid(WaitId::Pid(it), options), Ok(None)))
    }

    #[cfg(not(unix))]
    fn is_over(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // The group may have ended on its own.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
    }

    fn last_words(&self) -> String {
        let start = Instant::now();
        loop {
            let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
            if said.1 || start.elapsed() > LAST_WORDS {
                return String::from_utf8_lossy(&said.0).trim().to_owned();
            }
            drop(said);
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Process for Running {
    fn send(&mut self, message: Vec<u8>) {
        if let Some(input) = &self.input {
            // A program that has ended is noticed when its answer is received.
            let _ = input.send(message);
        }
    }

    fn receive(&mut self, wait: Duration) -> Received {
        let Some(output) = &self.output else { return Received::End };
        match output.recv_timeout(wait) {
            Ok(received) => received,
            Err(RecvTimeoutError::Timeout) => Received::Nothing,
            Err(RecvTimeoutError::Disconnected) => Received::End,
        }
    }

    fn end(&mut self) -> String {
        if let Some(ended) = &self.ended {
            return ended.clone();
        }
        self.input = None;
        self.output = None;
        self.await_end(PATIENCE);
        // Even if it has ended on its own, processes that it started may remain.
        self.kill();
        let how = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let said = self.last_words();
        let ended = match said.is_empty() {
            true => format!("it ended with {how}"),
            false => format!("it ended with {how}: {said}"),
        };
        self.ended = Some(ended.clone());
        ended
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.input = None;
        self.output = None;
        if self.ended.is_none() {
            self.kill();
            let _ = self.child.wait();
        }
    }
}

fn write_all(mut input: ChildStdin, messages: &Receiver<Vec<u8>>) {
    for message in messages {
        let head = format!("{}\n", message.len());
        let written = input.write_all(head.as_bytes()).and_then(|()| input.write_all(&message));
        if written.and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_all(output: ChildStdout, found: &SyncSender<Received>) {
    let mut output = BufReader::new(output);
    loop {
        let received = read_message(&mut output);
        let is_last = !matches!(received, Received::Message(_));
        if found.send(received).is_err() || is_last {
            return;
        }
    }
}

fn read_message(output: &mut impl io::BufRead) -> Received {
    let mut head = Vec::new();
    match output.by_ref().take(20).read_until(b'\n', &mut head) {
        Ok(0) | Err(_) => return Received::End,
        Ok(_) => {}
    }
    let digits = head.strip_suffix(b"\n").filter(|it| it.iter().all(u8::is_ascii_digit));
    let length = digits.and_then(|it| str::from_utf8(it).ok()?.parse::<usize>().ok());
    let Some(length) = length.filter(|it| *it <= MESSAGE_LIMIT) else { return Received::Garbled };
    let mut message = Vec::new();
    match output.by_ref().take(length as u64).read_to_end(&mut message) {
        Ok(count) if count == length => Received::Message(message),
        Ok(_) | Err(_) => Received::End,
    }
}

/// Keeps the beginning of a program's standard error.
fn listen(complaints: ChildStderr, said: &Mutex<(Vec<u8>, bool)>) {
    let mut complaints = BufReader::new(complaints);
    let mut chunk = [0; 1024];
    while let Ok(count @ 1..) = complaints.read(&mut chunk) {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        let room = SAID_LIMIT.saturating_sub(said.0.len());
        said.0.extend_from_slice(&chunk[..count.min(room)]);
    }
    said.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn start(script: &str) -> Box<dyn Process> {
        let program =
            Program { program: "sh", arguments: &["-c", script], environment: &[("PATH", "/usr/bin:/bin")] };
        DiskSystem::at("/").start(&program).unwrap()
    }

    const LONG: Duration = Duration::from_secs(30);

    #[test]
    fn messages_go_both_ways() {
        let mut echo = start("read n; text=$(head -c $n); printf '%s\\n%s' $((n + 4)) \"got $text\"");
        echo.send(b"words".to_vec());
        assert_eq!(echo.receive(LONG), Received::Message(b"got words".to_vec()));
        assert_eq!(echo.receive(LONG), Received::End);
        assert_eq!(echo.end(), "it ended with exit status: 0");
    }

    #[test]
    fn what_is_no_message_is_reported() {
        assert_eq!(start("echo hello; sleep 60").receive(LONG), Received::Garbled);
        assert_eq!(start("echo 99999999999999999999999; sleep 60").receive(LONG), Received::Garbled);
        assert_eq!(start("printf '100\\nshort'").receive(LONG), Received::End);
        assert_eq!(start("sleep 60").receive(Duration::from_millis(50)), Received::Nothing);
    }

    #[test]
    fn a_program_that_reads_nothing_is_ended() {
        let mut deaf = start("echo what for >&2; sleep 60");
        deaf.send(vec![b'x'; 1 << 20]);
        assert_eq!(deaf.receive(Duration::from_millis(300)), Received::Nothing);
        assert_eq!(deaf.end(), "it ended with signal: 9 (SIGKILL): what for");
    }

    #[test]
    fn the_environment_is_clean() {
        let mut process = start(
            "text=$(env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD=); echo ${#text}; printf %s \"$text\"",
        );
        assert_eq!(process.receive(LONG), Received::Message(b"PATH=/usr/bin:/bin".to_vec()));
    }
}
