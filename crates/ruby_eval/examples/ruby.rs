//! Evaluates Ruby code: `ruby -e CODE`, or a file of expressions, one on each line, with one answer on each line.

use std::io::{BufRead as _, Write as _};

use marotte_ruby_eval::testing;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match &arguments[..] {
        [flag, code] if flag == "-e" => writeln!(out, "{}", testing::eval(code))?,
        [flag, template] if flag == "-t" => write!(out, "{}", testing::render(template))?,
        [path] => {
            for line in std::io::BufReader::new(std::fs::File::open(path)?).lines() {
                writeln!(out, "{}", testing::eval(&line?).replace('\n', "\\n"))?;
            }
        }
        _ => writeln!(out, "usage: ruby -e CODE | -t TEMPLATE | FILE")?,
    }
    out.flush()
}
