//! `fqdn_rand`: random numbers that are always the same on a node (E27).

use marotte_pcore::value::{Integer, Value};
use md5::{Digest, Md5};
use num_bigint::{BigInt, BigUint};
use rand_mt::Mt;

use super::legacy::{Arity, kind};
use super::number::leading_integer;
use super::{Body, Builtin, Call, Effects, Overload, ResultType};
use crate::interpreter::Evaluated;

/// The maximal number of digits of a limit.
const LONGEST_LIMIT: usize = 10_000;

/// `fqdn_rand`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "fqdn_rand",
    doc: "A pseudo-random number, at least 0 and less than a limit, that is always the same on a node: `fqdn_rand(60, \
          'backup')`.\n\n\
          The number is derived from the fact `networking.fqdn`, the limit, and an optional seed, any value, which allows \
          several numbers for one node. If the third argument is true, upper and lower case in the name of the node make no \
          difference.\n\n\
          It spreads actions over time or machines that would otherwise happen everywhere at once. It is not secret.",
    effects: Effects::Reads,
    result: ResultType::Is("Integer"),
    overloads: &[Overload {
        parameters: "Any *$args",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(run),
    }],
    ..Builtin::base()
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let arguments = call.legacy_arguments("fqdn_rand", Arity::AtLeast(1))?;
    let limit = limit(call, arguments.first().unwrap_or(&Value::Undef))?;
    let seed = arguments.get(1).unwrap_or(&Value::Undef);
    // An argument that is `undef` has become an empty string, which is true.
    let any_case = arguments.get(2).is_some_and(Value::is_truthy);

    let networking = call.interpreter.requests.fact("networking");
    let name = match &networking {
        Some(Value::Hash(facts)) => facts.get_str("fqdn").cloned().unwrap_or(Value::Undef),
        _ => Value::Undef,
    };
    let mut text = String::new();
    call.add_joined(&name, &mut text, 0)?;
    if any_case {
        text = text.chars().flat_map(char::to_lowercase).collect();
    }
    text.push(':');
    text.push_str(&limit.to_string());
    text.push(':');
    call.add_joined(seed, &mut text, 0)?;

    let below = match limit.to_biguint() {
        Some(limit) if limit != BigUint::ZERO => limit - 1u32,
        _ => return call.fail(format!("invalid argument - {limit}")),
    };
    let mut random = generator(&BigUint::from_bytes_be(&Md5::digest(&text)));
    Ok(Value::Integer(Integer::from(BigInt::from(up_to(&mut random, &below)))))
}

/// The limit as Ruby's `to_i` reads it.
fn limit(call: &Call<'_, '_, '_>, value: &Value) -> Evaluated<BigInt> {
    match value {
        Value::Integer(it) => Ok(it.to_big()),
        Value::Float(it) => match Integer::from_f64_truncated(*it) {
            Some(it) => Ok(it.to_big()),
            None => call.fail(format!("fqdn_rand(): the limit is {it}, which is not a number to count to")),
        },
        Value::String(text) => {
            if text.len() > LONGEST_LIMIT {
                return call.fail(format!("fqdn_rand(): the limit has more than {LONGEST_LIMIT} digits"));
            }
            Ok(leading_integer(text))
        }
        other => call.fail(format!(
            "fqdn_rand(): the limit must be an Integer, a Float or a String of digits, got {}",
            kind(other)
        )),
    }
}

impl Call<'_, '_, '_> {
    /// Appends the text of a value; elements of arrays, at any depth, are joined by colons.
    fn add_joined(&mut self, value: &Value, text: &mut String, depth: usize) -> Evaluated<()> {
        match value {
            Value::Undef => Ok(()),
            Value::Array(elements) => self.nested(depth, |it, depth| {
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        text.push(':');
                    }
                    it.add_joined(element, text, depth)?;
                }
                Ok(())
            }),
            value => {
                text.push_str(&self.plain_text(value)?);
                Ok(())
            }
        }
    }
}

/// Creates the generator for a seed: a Mersenne Twister, seeded as Ruby seeds its own.
fn generator(seed: &BigUint) -> Mt {
    let mut key = seed.to_u32_digits();
    match *key {
        [] => Mt::new(0),
        [word] => Mt::new(word),
        // A final 1, which Ruby takes for a guard against leading zeros, is not part of the key.
        [.., 1] => {
            key.pop();
            match *key {
                [word] => Mt::new(word),
                _ => Mt::new_with_key(key.iter().copied()),
            }
        }
        _ => Mt::new_with_key(key.iter().copied()),
    }
}

/// Returns a number from 0 to `limit`: draws words, most significant first, masked to the length of the limit, until
/// the result does not exceed it.
fn up_to(random: &mut Mt, limit: &BigUint) -> BigUint {
    let limit = limit.to_u32_digits();
    let Some(top) = limit.last() else { return BigUint::ZERO };
    let mask = u32::MAX.checked_shr(top.leading_zeros()).unwrap_or(0);
    let mut words = vec![0; limit.len()];
    'again: loop {
        let (mut at_limit, mut mask) = (true, mask);
        for (word, limit) in words.iter_mut().zip(&limit).rev() {
            *word = random.next_u32() & mask;
            mask = u32::MAX;
            if at_limit {
                if *word > *limit {
                    continue 'again;
                }
                at_limit = *word == *limit;
            }
        }
        return BigUint::new(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Random.new(seed).rand(limit + 1)` of Ruby 3.1.
    #[test]
    fn numbers_are_those_of_ruby() {
        let cases = [
            ("0", "0", "0"),
            ("0", "999", "684"),
            ("0", "4294967294", "2357136044"),
            ("0", "99999999999999999998", "84723029211912513141"),
            ("0", "340282366920938463463374607431768211455", "186751557609232123911686214218347039936"),
            ("5", "1", "1"),
            ("5", "999", "867"),
            ("5", "4294967295", "953453411"),
            ("5", "99999999999999999998", "56358125790254616559"),
            ("4294967295", "0", "0"),
            ("4294967295", "1", "1"),
            ("4294967295", "4294967294", "419326371"),
            ("4294967295", "4294967295", "419326371"),
            (
                "4294967295",
                "340282366920938463463374607431768211455",
                "33222457876947091460322233361424493639",
            ),
            ("4294967296", "0", "0"),
            ("4294967296", "999", "684"),
            ("4294967296", "4294967294", "2357136044"),
            ("4294967296", "99999999999999999998", "84723029211912513141"),
            (
                "4294967296",
                "340282366920938463463374607431768211455",
                "186751557609232123911686214218347039936",
            ),
            ("4294967301", "1", "1"),
            ("4294967301", "999", "867"),
            ("4294967301", "4294967295", "953453411"),
            ("4294967301", "99999999999999999998", "56358125790254616559"),
            ("8589934597", "0", "0"),
            ("8589934597", "1", "1"),
            ("8589934597", "4294967294", "3185278367"),
            ("8589934597", "4294967295", "3185278367"),
            (
                "8589934597",
                "340282366920938463463374607431768211455",
                "252363752136152273239983250194434815157",
            ),
            ("18446744073709551616", "0", "0"),
            ("18446744073709551616", "999", "757"),
            ("18446744073709551616", "4294967294", "647325673"),
            ("18446744073709551616", "99999999999999999998", "25150891932854982277"),
            (
                "18446744073709551616",
                "340282366920938463463374607431768211455",
                "51286423648893630235218077303693420570",
            ),
            ("18446744073709551617", "1", "1"),
            ("18446744073709551617", "999", "501"),
            ("18446744073709551617", "4294967295", "577090037"),
            ("18446744073709551617", "99999999999999999998", "14089154935034201297"),
            ("340282366920938463463374607431768211455", "0", "0"),
            ("340282366920938463463374607431768211455", "1", "0"),
            ("340282366920938463463374607431768211455", "4294967294", "1009630920"),
            ("340282366920938463463374607431768211455", "4294967295", "1009630920"),
            (
                "340282366920938463463374607431768211455",
                "340282366920938463463374607431768211455",
                "79991202671171354154443996074534446426",
            ),
            ("79228162514264337593543950336", "0", "0"),
            ("79228162514264337593543950336", "999", "775"),
            ("79228162514264337593543950336", "4294967294", "274818031"),
            ("79228162514264337593543950336", "99999999999999999998", "93616952250095108753"),
            (
                "79228162514264337593543950336",
                "340282366920938463463374607431768211455",
                "21773327640770591546852960549485050667",
            ),
            ("12345678901234567890", "1", "0"),
            ("12345678901234567890", "999", "554"),
            ("12345678901234567890", "4294967295", "2199100970"),
            ("12345678901234567890", "99999999999999999998", "52765249965101398365"),
        ];
        for (seed, limit, expected) in cases {
            let seed: BigUint = seed.parse().expect("a number");
            let limit: BigUint = limit.parse().expect("a number");
            let number = up_to(&mut generator(&seed), &limit);
            assert_eq!(number.to_string(), expected, "seed {seed}, limit {limit}");
        }
    }
}
