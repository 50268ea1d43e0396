//! `IPAddr`

mod address;

use std::rc::Rc;

use num_bigint::BigInt;

use self::address::{Address, Fault, all_bits};
use super::support::{ascii, bytes_of, text_of};
use crate::native::{Call, NativeClass, NativeMethod, between, exactly, refused};
use crate::stop::{Result, Stop, unsupported};
use crate::value::{Object, Range};
use crate::vm::to_big;
use crate::{Value, Vm};

const AF_INET: i64 = 2;
const AF_INET6: i64 = 10;

fn value(vm: &Vm<'_>, address: Address) -> Value {
    Value::Object(Object::new(Rc::clone(vm.world.class("IPAddr")), address))
}

fn raised<T>(vm: &mut Vm<'_>, parsed: std::result::Result<T, Fault>) -> Result<T> {
    match parsed {
        Ok(it) => Ok(it),
        Err(Fault::Address(message)) => vm.raise_named("IPAddr::InvalidAddressError", message),
        Err(Fault::Prefix(message)) => vm.raise_named("IPAddr::InvalidPrefixError", message),
        Err(Fault::Family(message)) => vm.raise_named("IPAddr::AddressFamilyError", message),
        Err(Fault::Unsupported(construct)) => unsupported(construct),
    }
}

fn made(vm: &mut Vm<'_>, parsed: std::result::Result<Address, Fault>) -> Result {
    let address = raised(vm, parsed)?;
    Ok(value(vm, address))
}

fn own(call: &Call<'_>) -> Result<Address> {
    address_in(call.this).map_or_else(|| unsupported("an IPAddr of another kind"), Ok)
}

fn address_in(value: &Value) -> Option<Address> {
    match value {
        Value::Object(object) => object.data_as::<Address>().map(|it| *it),
        _ => None,
    }
}

/// An address from a number, or from what `to_i` makes of another value.
fn of_number(vm: &mut Vm<'_>, number: &Value, is_v6: bool) -> Result<Address> {
    let number = match number {
        Value::Nil => BigInt::ZERO,
        Value::Float(it) if it.is_finite() => crate::vm::float_to_big(it.trunc()).unwrap_or_default(),
        other => match to_big(other) {
            Some(it) => it,
            None => return unsupported("an IPAddr of this value"),
        },
    };
    match u128::try_from(number) {
        Ok(bits) => raised(vm, Address::of_number(bits, is_v6)),
        Err(_) => vm.raise_named("IPAddr::InvalidAddressError", "invalid address: "),
    }
}

fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if !matches!(call.this, Value::Class(it) if *it.name.borrow() == "IPAddr") {
        return unsupported("a subclass of IPAddr");
    }
    let family = match call.argument(1) {
        None | Some(Value::Integer(0)) => None,
        Some(Value::Integer(AF_INET)) => Some(false),
        Some(Value::Integer(AF_INET6)) => Some(true),
        Some(_) => return unsupported("an IPAddr of this family"),
    };
    match (call.argument(0), family) {
        (None, _) => made(vm, Address::of_number(0, true)),
        (Some(text @ Value::String(_)), _) => {
            let text = text_of(vm, text)?;
            made(vm, Address::parse(&text, family))
        }
        (Some(_), None) => vm.raise_named("IPAddr::AddressFamilyError", "address family must be specified"),
        (Some(number), Some(is_v6)) => {
            let address = of_number(vm, number, is_v6)?;
            Ok(value(vm, address))
        }
    }
}

/// The other side of an operation: an address, its text, or a number of the same family.
fn coerced(vm: &mut Vm<'_>, own: Address, other: &Value) -> Result<Address> {
    match (address_in(other), other) {
        (Some(address), _) => Ok(address),
        (None, Value::String(_)) => {
            let text = text_of(vm, other)?;
            raised(vm, Address::parse(&text, None))
        }
        (None, _) => of_number(vm, other, own.is_v6),
    }
}

/// The other side of a comparison, which answers for values that are not addresses.
fn compared(vm: &mut Vm<'_>, own: Address, other: &Value) -> Result<Option<Address>> {
    // Values without `to_i` raise `NoMethodError`, which is rescued.
    if address_in(other).is_none()
        && matches!(
            other,
            Value::Symbol(_) | Value::Bool(_) | Value::Array(_) | Value::Hash(_) | Value::Range(_)
        )
    {
        return Ok(None);
    }
    match coerced(vm, own, other) {
        Ok(address) => Ok(Some(address)),
        Err(stop) => match *stop {
            Stop::Raise(_) => Ok(None),
            other => Err(Box::new(other)),
        },
    }
}

fn equal(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let other = compared(vm, own, call.required(0))?;
    Ok(Value::Bool(other.is_some_and(|it| it.is_v6 == own.is_v6 && it.bits == own.bits)))
}

fn compare(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let other = compared(vm, own, call.required(0))?.filter(|it| it.is_v6 == own.is_v6);
    Ok(other.map(|it| own.bits.cmp(&it.bits) as i64).into())
}

fn include(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let other = coerced(vm, own, call.required(0))?;
    let is_inside = own.first() <= other.first() && own.last() >= other.last();
    Ok(Value::Bool(own.is_v6 == other.is_v6 && is_inside))
}

fn and(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let other = coerced(vm, own, call.required(0))?;
    made(vm, own.with_bits(Some(own.bits & other.bits)))
}

fn or(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let other = coerced(vm, own, call.required(0))?;
    made(vm, own.with_bits(Some(own.bits | other.bits)))
}

fn shift(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let Value::Integer(by @ 0..=128) = call.required(0) else { return unsupported("IPAddr shifted by this") };
    let by = u32::try_from(*by).unwrap_or(128);
    let bits = match &*call.name.name() {
        ">>" => own.bits.checked_shr(by).unwrap_or(0),
        _ => own.bits.checked_shl(by).unwrap_or(0) & all_bits(own.is_v6),
    };
    made(vm, own.with_bits(Some(bits)))
}

fn mask(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut own = own(call)?;
    let masked = match call.required(0) {
        Value::Integer(it) => own.apply_prefix(*it),
        text @ Value::String(_) => {
            let text = text_of(vm, text)?;
            own.apply_mask(&text)
        }
        _ => return unsupported("IPAddr#mask with this value"),
    };
    raised(vm, masked)?;
    Ok(value(vm, own))
}

fn to_range(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let end = |bits| Address { is_v6: own.is_v6, bits, mask: all_bits(own.is_v6) };
    let (begin, end) = (value(vm, end(own.first())), value(vm, end(own.last())));
    Ok(Value::Range(Rc::new(Range { begin, end, exclusive: false })))
}

fn to_integer(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::big(BigInt::from(own(call)?.bits)))
}

fn is_private(own: Address) -> bool {
    match own.is_v6 {
        true => own.bits >> 121 == 0xfc >> 1,
        false => own.bits >> 24 == 10 || own.bits >> 20 == 0xac1 || own.bits >> 16 == 0xc0a8,
    }
}

fn is_link_local(own: Address) -> bool {
    match own.is_v6 {
        true => own.bits >> 118 == 0xfe80 >> 6,
        false => own.bits >> 16 == 0xa9fe,
    }
}

fn is_loopback(own: Address) -> bool {
    if own.is_v6 { own.bits == 1 } else { own.bits >> 24 == 0x7f }
}

fn mapped(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    if own.is_v6 {
        return vm.raise_named("IPAddr::InvalidAddressError", format!("not an IPv4 address: {}", own.bits));
    }
    let mask = own.mask | (u128::MAX ^ all_bits(false));
    Ok(value(vm, Address { is_v6: true, bits: own.bits | 0xffff_0000_0000, mask }))
}

fn reverse_name(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let suffix = match (&*call.name.name(), own.is_v6) {
        ("reverse", false) => "in-addr.arpa",
        ("reverse" | "ip6_arpa", true) => "ip6.arpa",
        (_, true) => "ip6.int",
        (_, false) => {
            let message = format!("not an IPv6 address: {}", own.bits);
            return vm.raise_named("IPAddr::InvalidAddressError", message);
        }
    };
    Ok(ascii(format!("{}.{suffix}", own.reversed())))
}

fn inspect(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let family = if own.is_v6 { "IPv6" } else { "IPv4" };
    Ok(Value::from(format!("#<IPAddr: {family}:{}/{}>", own.full(own.bits), own.full(own.mask))))
}

fn of_bytes(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let bytes = bytes_of(vm, call.required(0))?;
    let bits = bytes.iter().fold(0, |bits: u128, it| bits << 8 | u128::from(*it));
    let address = match bytes.len() {
        4 => Address { is_v6: false, bits, mask: all_bits(false) },
        16 => Address { is_v6: true, bits, mask: all_bits(true) },
        _ => return vm.raise_named("IPAddr::AddressFamilyError", "unsupported address family"),
    };
    Ok(match &*call.name.name() {
        "ntop" => Value::from(address.full(address.bits)),
        _ => value(vm, address),
    })
}

const METHODS: &[NativeMethod] = &[
    exactly("==", 1, equal),
    exactly("<=>", 1, compare),
    exactly("include?", 1, include),
    exactly("===", 1, include),
    exactly("eql?", 1, |_, call| Ok(Value::Bool(Some(own(call)?) == address_in(call.required(0))))),
    exactly("&", 1, and),
    exactly("|", 1, or),
    exactly("<<", 1, shift),
    exactly(">>", 1, shift),
    exactly("~", 0, |vm, call| {
        let own = own(call)?;
        made(vm, own.with_bits(Some(own.bits ^ all_bits(own.is_v6))))
    }),
    exactly("mask", 1, mask),
    exactly("to_i", 0, to_integer),
    exactly("to_s", 0, |_, call| Ok(ascii(own(call)?.short()))),
    exactly("to_string", 0, |_, call| {
        let own = own(call)?;
        Ok(ascii(own.full(own.bits)))
    }),
    exactly("netmask", 0, |_, call| {
        let own = own(call)?;
        Ok(ascii(own.full(own.mask)))
    }),
    exactly("inspect", 0, inspect),
    exactly("prefix", 0, |_, call| Ok(Value::Integer(own(call)?.prefix()))),
    exactly("to_range", 0, to_range),
    exactly("succ", 0, |vm, call| {
        let own = own(call)?;
        made(vm, own.with_bits(own.bits.checked_add(1)))
    }),
    exactly("family", 0, |_, call| Ok(Value::Integer(if own(call)?.is_v6 { AF_INET6 } else { AF_INET }))),
    exactly("ipv4?", 0, |_, call| Ok(Value::Bool(!own(call)?.is_v6))),
    exactly("ipv6?", 0, |_, call| Ok(Value::Bool(own(call)?.is_v6))),
    exactly("loopback?", 0, |_, call| Ok(Value::Bool(is_loopback(own(call)?)))),
    exactly("private?", 0, |_, call| Ok(Value::Bool(is_private(own(call)?)))),
    exactly("link_local?", 0, |_, call| Ok(Value::Bool(is_link_local(own(call)?)))),
    exactly("ipv4_mapped?", 0, |_, call| Ok(Value::Bool(own(call)?.is_mapped()))),
    exactly("ipv4_compat?", 0, |_, call| Ok(Value::Bool(own(call)?.is_compatible()))),
    exactly("ipv4_mapped", 0, mapped),
    exactly("native", 0, |vm, call| {
        let own = own(call)?;
        Ok(if own.native() == own { call.this.clone() } else { value(vm, own.native()) })
    }),
    exactly("hton", 0, |_, call| Ok(Value::binary(own(call)?.bytes()))),
    exactly("reverse", 0, reverse_name),
    exactly("ip6_arpa", 0, reverse_name),
    exactly("ip6_int", 0, reverse_name),
];

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "IPAddr",
        superclass: Some("Object"),
        includes: &["Comparable"],
        methods: &[METHODS],
        singleton_methods: &[&[
            between("new", 0, 2, new),
            exactly("new_ntoh", 1, of_bytes),
            exactly("ntop", 1, of_bytes),
        ]],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "IPAddr::Error", superclass: Some("ArgumentError"), ..NativeClass::EMPTY },
    NativeClass {
        name: "IPAddr::InvalidAddressError",
        superclass: Some("IPAddr::Error"),
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "IPAddr::AddressFamilyError",
        superclass: Some("IPAddr::Error"),
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "IPAddr::InvalidPrefixError",
        superclass: Some("IPAddr::InvalidAddressError"),
        ..NativeClass::EMPTY
    },
    NativeClass { name: "SocketError", superclass: Some("StandardError"), ..NativeClass::EMPTY },
    NativeClass {
        name: "Socket",
        superclass: Some("Object"),
        singleton_methods: &[&[
            refused("gethostname"),
            refused("getaddrinfo"),
            refused("gethostbyname"),
            refused("ip_address_list"),
        ]],
        constants: &[
            ("AF_UNSPEC", |_| Ok(Value::Integer(0))),
            ("AF_INET", |_| Ok(Value::Integer(AF_INET))),
            ("AF_INET6", |_| Ok(Value::Integer(AF_INET6))),
        ],
        ..NativeClass::EMPTY
    },
];
