//! Random numbers with a seed: the Mersenne Twister (MT19937) as CRuby uses it. Numbers without a seed are not supported.

use std::cell::Ref;
use std::rc::Rc;

use num_bigint::{BigInt, BigUint, Sign};
use rand_mt::Mt;

use super::support::charge;
use crate::native::{Call, NativeClass, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Data, Object, Range};
use crate::vm::{ErrorClass, compare_numbers, to_big};
use crate::{Value, Vm};

/// `Random`
pub(super) static RANDOM: NativeClass = NativeClass {
    name: "Random",
    superclass: Some("Object"),
    methods: &[METHODS],
    singleton_methods: &[CLASS_METHODS],
    ..NativeClass::EMPTY
};

const METHODS: &[NativeMethod] = &[
    between("rand", 0, 1, |vm, call| {
        let generator = Generator::of(call.this)?;
        generator.rand(vm, call)
    }),
    exactly("bytes", 1, |vm, call| {
        let generator = Generator::of(call.this)?;
        generator.bytes(vm, call)
    }),
    exactly("seed", 0, |_, call| match call.this {
        Value::Object(object) => match object.data_as::<Twister>() {
            Some(twister) => Ok(Value::big(twister.seed.clone())),
            None => unsupported("Random#seed of another object"),
        },
        _ => unsupported("Random#seed of another object"),
    }),
    exactly("==", 1, |_, call| match (call.this, call.required(0)) {
        (Value::Object(a), Value::Object(b)) => match (a.data_as::<Twister>(), b.data_as::<Twister>()) {
            (Some(a), Some(b)) => Ok(Value::Bool(a.seed == b.seed && a.numbers == b.numbers)),
            _ => Ok(Value::Bool(false)),
        },
        _ => Ok(Value::Bool(false)),
    }),
];

const CLASS_METHODS: &[NativeMethod] = &[
    between("new", 0, 1, |vm, call| {
        let Some(seed) = call.argument(0) else { return without_seed() };
        let Value::Class(class) = call.this else { return unsupported("Random.new of another object") };
        let seed = match to_big(seed) {
            Some(it) => it,
            None => BigInt::from(vm.expect_integer(seed)?),
        };
        Ok(Value::Object(Object::new(Rc::clone(class), Twister::new(seed))))
    }),
    between("rand", 0, 1, |vm, call| Generator::global(vm)?.rand(vm, call)),
    exactly("bytes", 1, |vm, call| Generator::global(vm)?.bytes(vm, call)),
    between("srand", 0, 1, srand),
    exactly("new_seed", 0, |_, _| without_seed()),
    exactly("urandom", 1, |_, _| without_seed()),
    exactly("seed", 0, |_, _| without_seed()),
];

/// `rand` and `srand` of `Kernel`.
pub(super) const KERNEL_METHODS: &[NativeMethod] = &[
    between("rand", 0, 1, |vm, call| {
        let generator = Generator::global(vm)?;
        match call.argument(0) {
            Some(Value::Range(range)) => Ok(generator.in_range(vm, range)?.unwrap_or(Value::Nil)),
            None | Some(Value::Nil) => generator.real(true).map(Value::Float),
            Some(limit) => {
                let limit = match to_big(limit) {
                    Some(it) => it,
                    None => BigInt::from(vm.expect_integer(limit)?),
                };
                match limit == BigInt::ZERO {
                    true => generator.real(true).map(Value::Float),
                    false => generator.big_limited(vm, &(BigInt::from(limit.magnitude().clone()) - 1)),
                }
            }
        }
    }),
    between("srand", 0, 1, srand),
];

fn without_seed<T>() -> Result<T> {
    unsupported("random numbers without a seed")
}

/// The seed before the first `srand`, which is not known.
#[derive(Debug)]
struct UnknownSeed;

impl Data for UnknownSeed {}

fn srand(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let next = match call.argument(0) {
        None => None,
        Some(Value::Object(it)) if it.data_as::<UnknownSeed>().is_some() => None,
        Some(seed) => {
            let seed = match to_big(seed) {
                Some(it) => it,
                None => BigInt::from(vm.expect_integer(seed)?),
            };
            let class = Rc::clone(vm.world.class("Random"));
            Some(Value::Object(Object::new(class, Twister::new(seed))))
        }
    };
    match vm.world.random.replace(next) {
        Some(before) => vm.call(&before, "seed", &[]),
        None => Ok(Value::Object(Object::new(Rc::clone(vm.world.class("Object")), UnknownSeed))),
    }
}

/// The state of a generator.
#[derive(Clone, Debug)]
struct Twister {
    seed: BigInt,
    numbers: Mt,
}

impl Data for Twister {
    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(self.clone()))
    }
}

impl Twister {
    fn new(seed: BigInt) -> Twister {
        let mut words = seed.magnitude().to_u32_digits();
        // CRuby ignores a highest word of 1.
        if words.len() > 1 && words.last() == Some(&1) {
            words.pop();
        }
        let numbers = match words.as_slice() {
            [] => Mt::new(0),
            [word] => Mt::new(*word),
            several => Mt::new_with_key(several.iter().copied()),
        };
        Twister { seed, numbers }
    }
}

/// A source of random numbers.
pub(super) struct Generator(Rc<Object>);

impl Generator {
    fn of(value: &Value) -> Result<Generator> {
        match value {
            Value::Object(object) if object.data_as::<Twister>().is_some() => {
                Ok(Generator(Rc::clone(object)))
            }
            _ => unsupported("random numbers of another generator"),
        }
    }

    /// The generator that `srand` has set.
    fn global(vm: &Vm<'_>) -> Result<Generator> {
        let random: Ref<'_, Option<Value>> = vm.world.random.borrow();
        match &*random {
            Some(random) => Generator::of(random),
            None => without_seed(),
        }
    }

    /// The generator of the argument `random:`.
    pub(super) fn of_argument(vm: &Vm<'_>, argument: Option<&Value>) -> Result<Generator> {
        match argument {
            None | Some(Value::Class(_)) => Generator::global(vm),
            Some(random) => Generator::of(random),
        }
    }

    /// The next 32 bits.
    fn next(&self) -> Result<u32> {
        match self.0.data_as_mut::<Twister>() {
            Some(mut twister) => Ok(twister.numbers.next_u32()),
            None => unsupported("random numbers of another generator"),
        }
    }

    /// A random number from 0 to a limit.
    pub(super) fn limited(&self, vm: &Vm<'_>, limit: u64) -> Result<u64> {
        if limit == 0 {
            return Ok(0);
        }
        let mask = u64::MAX >> limit.leading_zeros();
        'retry: loop {
            vm.world.spend(1)?;
            let mut value = 0;
            for shift in [32, 0] {
                if (mask >> shift) & 0xffff_ffff != 0 {
                    value |= u64::from(self.next()?) << shift;
                    value &= mask;
                    if value > limit {
                        continue 'retry;
                    }
                }
            }
            return Ok(value);
        }
    }

    /// A random number from 0 to a limit of any size.
    fn big_limited(&self, vm: &Vm<'_>, limit: &BigInt) -> Result {
        if let Ok(limit) = u64::try_from(limit)
            && i64::try_from(limit).is_ok_and(|it| it < i64::MAX >> 1)
        {
            return Ok(Value::big(BigInt::from(self.limited(vm, limit)?)));
        }
        let words = limit.magnitude().to_u32_digits();
        'retry: loop {
            vm.world.spend(words.len())?;
            let mut number = vec![0; words.len()];
            let (mut mask, mut boundary) = (0_u32, true);
            for (index, word) in words.iter().enumerate().rev() {
                mask = match mask {
                    0 if *word == 0 => 0,
                    0 => u32::MAX >> word.leading_zeros(),
                    _ => u32::MAX,
                };
                if mask == 0 {
                    continue;
                }
                let value = self.next()? & mask;
                if boundary {
                    if value > *word {
                        continue 'retry;
                    }
                    boundary = value == *word;
                }
                if let Some(slot) = number.get_mut(index) {
                    *slot = value;
                }
            }
            return Ok(Value::big(BigInt::from_biguint(Sign::Plus, BigUint::new(number))));
        }
    }

    /// A random number from 0 to 1, with 1 or without.
    fn real(&self, exclusive: bool) -> Result<f64> {
        let (a, b) = (self.next()?, self.next()?);
        if exclusive {
            let (a, b) = (f64::from(a >> 5), f64::from(b >> 6));
            return Ok((a * 67_108_864.0 + b) * (1.0 / 9_007_199_254_740_992.0));
        }
        let bits = (u128::from(a) << 32) | u128::from(b);
        let scaled = (bits * ((1_u128 << 53) | 1)) >> 64;
        Ok(scaled as f64 * 2f64.powi(-53))
    }

    /// A random number of a range; None if the range is empty.
    fn in_range(&self, vm: &mut Vm<'_>, range: &Rc<Range>) -> Result<Option<Value>> {
        if let (Some(begin), Some(end)) = (to_big(&range.begin), to_big(&range.end)) {
            let limit = &end - &begin - i32::from(range.exclusive);
            if limit.sign() == Sign::Minus {
                return Ok(None);
            }
            let value = self.big_limited(vm, &limit)?;
            return Ok(to_big(&value).map(|it| Value::big(it + begin)));
        }
        let float = |value: &Value| match value {
            Value::Float(it) => Some(*it),
            other => to_big(other).map(|it| super::number::to_f64(&it)),
        };
        let (Some(begin), Some(end)) = (float(&range.begin), float(&range.end)) else {
            return unsupported("random numbers of this range");
        };
        let width = end - begin;
        if !width.is_finite() || !begin.is_finite() || !end.is_finite() {
            return unsupported("random numbers of this range");
        }
        if width > 0.0 {
            let value = self.real(range.exclusive)?;
            return Ok(Some(Value::Float(value * width + begin)));
        }
        Ok((width == 0.0 && !range.exclusive).then_some(Value::Float(begin)))
    }

    /// `Random#rand`
    fn rand(&self, vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
        let Some(limit) = call.argument(0) else { return self.real(true).map(Value::Float) };
        let found = match limit {
            Value::Nil => None,
            Value::Range(range) => self.in_range(vm, range)?,
            Value::Float(limit) if *limit >= 0.0 && limit.is_finite() => {
                let value = self.real(true)?;
                Some(Value::Float(if *limit == 0.0 { value } else { value * limit }))
            }
            Value::Float(_) => None,
            other => {
                let number = match to_big(other) {
                    Some(it) => it,
                    None => BigInt::from(vm.expect_integer(other)?),
                };
                let positive = compare_numbers(&Value::big(number.clone()), &Value::Integer(0));
                match positive == Some(std::cmp::Ordering::Greater) {
                    true => Some(self.big_limited(vm, &(number - 1))?),
                    false => None,
                }
            }
        };
        match found {
            Some(value) => Ok(value),
            None => {
                let limit = vm.to_s(limit)?.lossy();
                vm.raise(ErrorClass::Argument, format!("invalid argument - {limit}"))
            }
        }
    }

    fn bytes(&self, vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
        let count =
            super::support::count_argument(vm, call.required(0), "negative string size (or size too big)")?;
        charge(vm, count)?;
        let mut bytes = Vec::with_capacity(count);
        while bytes.len() < count {
            let word = self.next()?.to_le_bytes();
            bytes.extend(word.into_iter().take(count - bytes.len()));
        }
        Ok(Value::binary(bytes))
    }
}
