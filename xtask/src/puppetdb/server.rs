use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Result, files, process};

/// The folder of PostgreSQL's versions on Debian.
const POSTGRESQL: &str = "/usr/lib/postgresql";

/// The time that the server has to start.
const PATIENCE: Duration = Duration::from_secs(600);

/// A PuppetDB with a database of its own. Both end with it.
pub(super) struct Server {
    folder: PathBuf,
    programs: PathBuf,
    puppetdb: Option<Child>,
}

impl Server {
    /// The address of the server.
    pub(super) const URL: &'static str = "http://127.0.0.1:8180";

    /// Starts the servers with their files in a folder. The database runs as the user `postgres` if this process is root's.
    pub(super) fn start(folder: &Path) -> Result<Server> {
        let mut versions = files::names(Path::new(POSTGRESQL)).map_err(
            |_| "PostgreSQL is missing: apt-get install --no-install-recommends puppetdb postgresql curl",
        )?;
        versions.sort();
        let version = versions.pop().ok_or("there is no version of PostgreSQL")?;
        let programs = Path::new(POSTGRESQL).join(version).join("bin");
        for part in ["conf.d", "var", "log", "pg"] {
            files::make_folder(&folder.join(part))?;
        }
        let mut server = Server { folder: folder.to_owned(), programs, puppetdb: None };
        server.start_database()?;
        server.start_puppetdb()?;
        Ok(server)
    }

    /// A program of PostgreSQL.
    fn database(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        let mut command = match rustix::process::geteuid().is_root() {
            true => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]).arg(program);
                command
            }
            false => Command::new(program),
        };
        command.current_dir(self.folder.join("pg"));
        command
    }

    fn start_database(&self) -> Result<()> {
        let pg = self.folder.join("pg");
        if rustix::process::geteuid().is_root() {
            process::output(Command::new("chown").arg("postgres").arg(&pg))?;
            process::output(Command::new("chmod").arg("755").arg(&self.folder).args(self.folder.parent()))?;
        }
        let data = pg.join("data");
        process::output(self.database("initdb").arg("-D").arg(&data).args([
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "-N",
        ]))?;
        let options = format!("-p 5533 -k {} -c listen_addresses=127.0.0.1 -c fsync=off", pg.display());
        let mut start = self.database("pg_ctl");
        start.arg("-D").arg(&data).arg("-w").arg("-l").arg(pg.join("log")).args(["-o", &options, "start"]);
        // The database must not keep a pipe open that somebody reads to its end.
        let status = start.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        if !status.success() {
            return Err(format!("PostgreSQL does not start ({status})").into());
        }
        for (name, statement) in [
            ("postgres", "create role puppetdb login"),
            ("postgres", "create database puppetdb owner puppetdb"),
            ("puppetdb", "create extension pg_trgm"),
        ] {
            process::output(
                self.database("psql")
                    .arg("-q")
                    .arg("-h")
                    .arg(&pg)
                    .args(["-p", "5533", "-d", name, "-c", statement]),
            )?;
        }
        Ok(())
    }

    fn start_puppetdb(&mut self) -> Result<()> {
        let folder = &self.folder;
        let settings = format!(
            "[global]\nvardir = {}\n[database]\nsubname = //127.0.0.1:5533/puppetdb\nusername = puppetdb\npassword = none\n\
             gc-interval = 0\n[jetty]\nhost = 127.0.0.1\nport = 8180\n[puppetdb]\ndisable-update-checking = true\n",
            folder.join("var").display()
        );
        files::write(&folder.join("conf.d/settings.ini"), &settings)?;
        files::write(
            &folder.join("conf.d/auth.conf"),
            &files::read(Path::new("/etc/puppetdb/conf.d/auth.conf"))?,
        )?;
        files::write(&folder.join("restarts"), "0")?;
        let log = fs::File::create(folder.join("log/puppetdb"))?;
        let mut java = Command::new("java");
        java.args([
            "-Xmx512m",
            "-Djava.security.egd=/dev/urandom",
            "-cp",
            "/usr/share/puppetdb/puppetdb.jar",
            "clojure.main",
        ]);
        java.args(["-m", "puppetlabs.puppetdb.core", "services", "--config"]).arg(folder.join("conf.d"));
        java.args(["--bootstrap-config", "/etc/puppetdb/bootstrap.cfg", "--restart-file"])
            .arg(folder.join("restarts"));
        java.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        self.puppetdb = Some(java.spawn().map_err(|error| format!("cannot run java: {error}"))?);
        let started = Instant::now();
        let status = format!("{}/status/v1/services/puppetdb-status", Server::URL);
        while started.elapsed() < PATIENCE {
            let answer = Command::new("curl")
                .args(["--silent", "--noproxy", "*", "--max-time", "5", &status])
                .output()?;
            if String::from_utf8_lossy(&answer.stdout).contains("\"state\":\"running\"") {
                return Ok(());
            }
            if let Some(child) = &mut self.puppetdb
                && let Some(status) = child.try_wait()?
            {
                let log = files::read(&folder.join("log/puppetdb"))?;
                let last: Vec<&str> = log.lines().rev().take(10).collect();
                return Err(format!("PuppetDB ended ({status}): {}", last.join("\n")).into());
            }
            thread::sleep(Duration::from_millis(200));
        }
        Err("PuppetDB does not start".into())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.puppetdb {
            // It may have ended on its own.
            let _ = child.kill();
            let _ = child.wait();
        }
        let data = self.folder.join("pg/data");
        let mut stop = self.database("pg_ctl");
        let _ =
            stop.arg("-D").arg(data).args(["-w", "-m", "immediate", "stop"]).stdout(Stdio::null()).status();
    }
}
