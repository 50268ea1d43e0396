//! Determines which part of the nodes a process compiles, from the variables of the CI service or scheduler that started it.

use std::str::FromStr;

use marotte_impact::partial::{Shard, ShardError};

use crate::args::ImpactArgs;
use crate::failure::Failure;

/// The argument of `--shard`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardArg {
    /// The part that the variables of the environment determine.
    Auto,
    /// The part that the user named.
    Of(Shard),
}

impl FromStr for ShardArg {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<ShardArg, ShardError> {
        if text == "auto" { Ok(ShardArg::Auto) } else { text.parse().map(ShardArg::Of) }
    }
}

/// Returns the part that the arguments name. None if this process compares all nodes.
pub(super) fn of(args: &ImpactArgs) -> Result<Option<Shard>, Failure> {
    match args.shard {
        None => Ok(None),
        Some(ShardArg::Of(shard)) => Ok(Some(shard)),
        Some(ShardArg::Auto) => {
            automatic(&|name| std::env::var(name).ok()).map(Some).map_err(Failure::Message)
        }
    }
}

/// The value of a variable of the environment.
type Variables<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// Returns the part that the variables of the environment determine. The error is a sentence for the user.
fn automatic(variables: &Variables<'_>) -> Result<Shard, String> {
    let found = [kubernetes(variables)?, slurm(variables)?, ci(variables)?];
    let found: Vec<(&str, Shard)> = found.into_iter().flatten().collect();
    match found[..] {
        [] => Err("`--shard auto` needs an array of jobs: neither JOB_COMPLETION_INDEX, SLURM_ARRAY_TASK_ID nor CI_NODE_INDEX \
is set"
            .to_owned()),
        [(_, shard)] => Ok(shard),
        [(one, _), (other, _), ..] => {
            Err(format!("both {one} and {other} are set: name the part with `--shard K/N`"))
        }
    }
}

/// A pod of an indexed Job, whose index is counted from 0. Kubernetes does not set a variable for the number of completions.
fn kubernetes(variables: &Variables<'_>) -> Result<Option<(&'static str, Shard)>, String> {
    const INDEX: &str = "JOB_COMPLETION_INDEX";
    let Some(index) = number(variables, INDEX)? else { return Ok(None) };
    let of = required(variables, "JOB_COMPLETIONS", "set it to the `completions` of the Job")?;
    let shard = shard(
        index.checked_add(1),
        of,
        &format!("{INDEX}={index}, which is counted from 0, and JOB_COMPLETIONS={of}"),
    )?;
    Ok(Some((INDEX, shard)))
}

/// A task of a job array, whose identifiers are any range.
fn slurm(variables: &Variables<'_>) -> Result<Option<(&'static str, Shard)>, String> {
    const TASK: &str = "SLURM_ARRAY_TASK_ID";
    let Some(task) = number(variables, TASK)? else { return Ok(None) };
    let said = |name: &str| required(variables, name, "Slurm sets it for job arrays");
    let (first, last) = (said("SLURM_ARRAY_TASK_MIN")?, said("SLURM_ARRAY_TASK_MAX")?);
    let of = said("SLURM_ARRAY_TASK_COUNT")?;
    let range = format!("{TASK}={task} in an array of {of} tasks from {first} to {last}");
    // A range with gaps doesn't say which of the tasks this one is.
    if last.checked_sub(first).and_then(|it| it.checked_add(1)) != Some(of) {
        return Err(format!("{range}, which is not a range without gaps: name the part with `--shard K/N`"));
    }
    let shard = shard(task.checked_sub(first).and_then(|it| it.checked_add(1)), of, &range)?;
    Ok(Some((TASK, shard)))
}

/// A job of GitLab with `parallel`, which is counted from 1.
fn ci(variables: &Variables<'_>) -> Result<Option<(&'static str, Shard)>, String> {
    const INDEX: &str = "CI_NODE_INDEX";
    let Some(index) = number(variables, INDEX)? else { return Ok(None) };
    let of = required(variables, "CI_NODE_TOTAL", "the job needs `parallel`")?;
    let shard = shard(Some(index), of, &format!("{INDEX}={index} and CI_NODE_TOTAL={of}"))?;
    Ok(Some((INDEX, shard)))
}

fn shard(number: Option<u32>, of: u32, said: &str) -> Result<Shard, String> {
    let number = number.unwrap_or_default();
    Shard::new(number, of).map_err(|error| format!("{said}: {error}"))
}

fn required(variables: &Variables<'_>, name: &str, hint: &str) -> Result<u32, String> {
    number(variables, name)?.ok_or_else(|| format!("`--shard auto` needs {name}: {hint}"))
}

/// Returns the value of a variable that must be a number. None if the variable isn't set.
fn number(variables: &Variables<'_>, name: &str) -> Result<Option<u32>, String> {
    let Some(text) = variables(name).filter(|it| !it.is_empty()) else { return Ok(None) };
    let digits = text.bytes().all(|it| it.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    digits.map(Some).ok_or_else(|| format!("{name} is `{text}`, which is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Result<String, String> {
        let value = |name: &str| variables.iter().find(|it| it.0 == name).map(|it| it.1.to_owned());
        automatic(&value).map(|it| it.to_string())
    }

    #[test]
    fn services_count_in_their_own_ways() {
        let kubernetes = |index, of| found(&[("JOB_COMPLETION_INDEX", index), ("JOB_COMPLETIONS", of)]);
        assert_eq!(kubernetes("0", "8").as_deref(), Ok("1 of 8"));
        assert_eq!(kubernetes("7", "8").as_deref(), Ok("8 of 8"));
        let slurm = |task, first, last, of| {
            found(&[
                ("SLURM_ARRAY_TASK_ID", task),
                ("SLURM_ARRAY_TASK_MIN", first),
                ("SLURM_ARRAY_TASK_MAX", last),
                ("SLURM_ARRAY_TASK_COUNT", of),
            ])
        };
        assert_eq!(slurm("0", "0", "3", "4").as_deref(), Ok("1 of 4"));
        assert_eq!(slurm("4", "1", "4", "4").as_deref(), Ok("4 of 4"));
        assert_eq!(slurm("12", "10", "13", "4").as_deref(), Ok("3 of 4"));
        let gitlab = |index, of| found(&[("CI_NODE_INDEX", index), ("CI_NODE_TOTAL", of)]);
        assert_eq!(gitlab("1", "5").as_deref(), Ok("1 of 5"));
        assert_eq!(gitlab("5", "5").as_deref(), Ok("5 of 5"));

        let refused = |said: Result<String, String>, why: &str| {
            let message = said.unwrap_err();
            assert!(message.contains(why), "{message}");
        };
        refused(kubernetes("8", "8"), "there is no part 9 of 8");
        refused(kubernetes("-1", "8"), "JOB_COMPLETION_INDEX is `-1`, which is not a number");
        refused(kubernetes("4294967295", "8"), "there is no part 0 of 8");
        refused(gitlab("0", "5"), "there is no part 0 of 5");
        refused(gitlab("1", "0"), "there is no part 1 of 0");
        refused(slurm("1", "1", "7", "3"), "name the part with `--shard K/N`");
        refused(slurm("9", "1", "4", "4"), "there is no part 9 of 4");
        refused(slurm("0", "1", "4", "4"), "there is no part 0 of 4");
        refused(slurm("1", "4", "1", "4"), "not a range without gaps");
    }

    #[test]
    fn what_is_not_said_is_not_guessed() {
        let message = |variables: &[(&str, &str)]| found(variables).unwrap_err();
        assert!(message(&[]).starts_with("`--shard auto` needs an array of jobs"));
        assert!(message(&[("CI_NODE_TOTAL", "3")]).starts_with("`--shard auto` needs an array of jobs"));
        assert!(message(&[("CI_NODE_INDEX", "3")]).contains("needs CI_NODE_TOTAL: the job needs `parallel`"));
        assert!(message(&[("JOB_COMPLETION_INDEX", "0")]).contains("needs JOB_COMPLETIONS"));
        assert!(message(&[("SLURM_ARRAY_TASK_ID", "0")]).contains("needs SLURM_ARRAY_TASK_MIN"));
        // GitLab in a pod: which one is meant?
        let both = [
            ("JOB_COMPLETION_INDEX", "0"),
            ("JOB_COMPLETIONS", "2"),
            ("CI_NODE_INDEX", "1"),
            ("CI_NODE_TOTAL", "2"),
        ];
        assert!(message(&both).starts_with("both JOB_COMPLETION_INDEX and CI_NODE_INDEX are set"));
    }
}
