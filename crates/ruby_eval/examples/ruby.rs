//! Evaluates Ruby code: `ruby -e CODE`, or a file of expressions, one on each line, with one answer on each line.
//!
//! `ruby -t TEMPLATE` renders a template, `ruby -d FILE` shows the code of a template, `ruby -c FILES` parses files.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};

use marotte_ruby_eval::program::{Program, template_source};
use marotte_ruby_eval::testing;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match &arguments[..] {
        [flag, code] if flag == "-e" => writeln!(out, "{}", testing::eval(code))?,
        [flag, template] if flag == "-t" => write!(out, "{}", testing::render(template))?,
        [flag, path] if flag == "-d" => out.write_all(&template_source(&bytes(path)?))?,
        [flag, paths @ ..] if flag == "-c" => {
            for path in paths {
                let text = bytes(path)?;
                let parsed = match path.ends_with(".erb") {
                    true => Program::template(&**path, &text),
                    false => Program::parse(&**path, &text),
                };
                if let Err(error) = parsed {
                    writeln!(out, "{path}:{error}")?;
                }
            }
        }
        [path] => {
            for line in BufReader::new(std::fs::File::open(path)?).lines() {
                writeln!(out, "{}", testing::eval(&line?).replace('\n', "\\n"))?;
            }
        }
        _ => writeln!(out, "usage: ruby -e CODE | -t TEMPLATE | -d FILE | -c FILES | FILE")?,
    }
    out.flush()
}

fn bytes(path: &str) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    std::fs::File::open(path)?.read_to_end(&mut text)?;
    Ok(text)
}
