//! `Time`. The zone of the machine is not known: times in it can be compared, added and shown in other zones.

mod make;
mod moment;

use std::rc::Rc;

use marotte_pcore::time::TimeError;
use num_bigint::BigInt;

use self::make::{new, parse_any, parse_iso8601, utc_time};
use self::moment::{Moment, SECOND, Zone, ZoneFault, float_seconds, nanoseconds_of_float, parse_zone};
use super::support::{ascii, text_of};
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::Object;
use crate::{Value, Vm};

/// The text of a `Time` in YAML; None for other objects, and for times in a zone that is not known.
pub(super) fn yaml_text(object: &Object) -> Option<String> {
    let moment = object.data_as::<Moment>().map(|it| *it)?;
    let zone = if moment.zone == Zone::Utc { "Z" } else { "%:z" };
    moment.format(&format!("%Y-%m-%d %H:%M:%S.%9N {zone}"))?.ok()
}

fn moment_in(value: &Value) -> Option<Moment> {
    match value {
        Value::Object(object) => object.data_as::<Moment>().map(|it| *it),
        _ => None,
    }
}

fn own(call: &Call<'_>) -> Result<Moment> {
    moment_in(call.this).map_or_else(|| unsupported("a Time of another kind"), Ok)
}

fn value(vm: &Vm<'_>, moment: Moment) -> Value {
    Value::Object(Object::new(Rc::clone(vm.world.class("Time")), moment))
}

fn written(vm: &mut Vm<'_>, text: Option<std::result::Result<String, TimeError>>) -> Result<String> {
    match text {
        Some(Ok(text)) => {
            vm.world.allocate(text.len())?;
            Ok(text)
        }
        Some(Err(_)) => unsupported("this format of a Time"),
        None => unsupported("the local time zone"),
    }
}

fn part(vm: &mut Vm<'_>, moment: Moment, directive: &str) -> Result<i64> {
    let text = written(vm, moment.format(directive))?;
    text.trim().parse().map_or_else(|_| unsupported("a year beyond 64 bits"), Ok)
}

/// Seconds as nanoseconds.
fn exact(vm: &mut Vm<'_>, value: &Value) -> Result<i128> {
    match value {
        Value::Integer(it) => Ok(i128::from(*it) * SECOND),
        Value::Float(it) => match nanoseconds_of_float(*it) {
            Some(it) => Ok(it),
            None => unsupported("a Time with a fraction of a nanosecond"),
        },
        Value::BigInteger(_) | Value::Object(_) => unsupported("a Time of this number"),
        other => {
            let class = vm.class_of(other).display_name();
            vm.type_error(format!("can't convert {class} into an exact number"))
        }
    }
}

fn zone_of(vm: &mut Vm<'_>, value: &Value) -> Result<Zone> {
    match value {
        Value::Integer(seconds) if seconds.abs() < 86_400 && seconds % 60 == 0 => {
            Ok(Zone::Offset(i32::try_from(*seconds).unwrap_or(0)))
        }
        Value::Integer(seconds) if seconds.abs() >= 86_400 => vm.argument_error("utc_offset out of range"),
        Value::String(_) => {
            let text = text_of(vm, value)?;
            match parse_zone(&text) {
                Ok(zone) => Ok(zone),
                Err(ZoneFault::Range) => vm.argument_error("utc_offset out of range"),
                Err(ZoneFault::Unsupported) => unsupported(format!("the time zone {text}")),
                Err(ZoneFault::Form) => vm.argument_error(format!(
                    "\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: {text}"
                )),
            }
        }
        _ => unsupported("this time zone"),
    }
}

fn now(vm: &mut Vm<'_>, zone: Zone) -> Result {
    match vm.host.now() {
        Some(nanoseconds) => Ok(value(vm, Moment { nanoseconds, zone })),
        None => unsupported("the current time"),
    }
}

/// The zone in the keyword argument `in`.
fn zone_keyword(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Option<Zone>> {
    let Some(keywords) = call.keywords else { return Ok(None) };
    match keywords.get_symbol("in") {
        Some(zone) if keywords.len() == 1 => zone_of(vm, &zone).map(Some),
        _ => unsupported("Time with these options"),
    }
}

fn time_now(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let zone = zone_keyword(vm, call)?;
    now(vm, zone.unwrap_or(Zone::Local))
}

fn at(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let zone = zone_keyword(vm, call)?;
    if let (Some(moment), None) = (moment_in(call.required(0)), call.argument(1)) {
        return Ok(value(vm, Moment { zone: zone.unwrap_or(moment.zone), ..moment }));
    }
    let mut nanoseconds = exact(vm, call.required(0))?;
    if let Some(more) = call.argument(1) {
        let unit = match call.argument(2) {
            None => 1_000,
            Some(Value::Symbol(it)) => match &*it.name() {
                "millisecond" => 1_000_000,
                "usec" | "microsecond" => 1_000,
                "nsec" | "nanosecond" => 1,
                _ => return unsupported("Time.at with this unit"),
            },
            Some(_) => return unsupported("Time.at with this unit"),
        };
        let Value::Integer(more) = more else { return unsupported("Time.at with this fraction") };
        nanoseconds += i128::from(*more) * unit;
    }
    Ok(value(vm, Moment { nanoseconds, zone: zone.unwrap_or(Zone::Local) }))
}

fn add(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let minus = &*call.name.name() == "-";
    if let Some(other) = moment_in(call.required(0)) {
        return match minus {
            true => Ok(Value::Float(float_seconds(own.nanoseconds - other.nanoseconds))),
            false => vm.type_error("time + time?"),
        };
    }
    let by = exact(vm, call.required(0))?;
    let nanoseconds = if minus { own.nanoseconds - by } else { own.nanoseconds + by };
    Ok(value(vm, Moment { nanoseconds, ..own }))
}

fn compare(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    match (moment_in(call.required(0)), call.required(0)) {
        (Some(other), _) => Ok(Value::Integer(own.nanoseconds.cmp(&other.nanoseconds) as i64)),
        (None, Value::Object(_)) => unsupported("a Time compared with another object"),
        _ => Ok(Value::Nil),
    }
}

fn strftime(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let format = text_of(vm, call.required(0))?;
    vm.world.spend(format.len())?;
    let text = written(vm, own.format(&format))?;
    Ok(Value::from(text))
}

/// Parts of the date and time, by the name of the method.
fn read(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let day = |vm: &mut Vm<'_>, wanted: i64| Ok(Value::Bool(part(vm, own, "%w")? == wanted));
    let directive = match &*call.name.name() {
        "year" => "%Y",
        "month" | "mon" => "%-m",
        "day" | "mday" => "%-d",
        "hour" => "%-H",
        "min" => "%-M",
        "sec" => "%-S",
        "wday" => "%w",
        "yday" => "%-j",
        "sunday?" => return day(vm, 0),
        "monday?" => return day(vm, 1),
        "tuesday?" => return day(vm, 2),
        "wednesday?" => return day(vm, 3),
        "thursday?" => return day(vm, 4),
        "friday?" => return day(vm, 5),
        "saturday?" => return day(vm, 6),
        _ => return unsupported("this part of a Time"),
    };
    Ok(Value::Integer(part(vm, own, directive)?))
}

fn zone_name(own: Moment) -> Result {
    match own.zone {
        Zone::Utc => Ok(Value::from("UTC")),
        Zone::Offset(_) => Ok(Value::Nil),
        Zone::Local => unsupported("the local time zone"),
    }
}

fn offset(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match own(call)?.zone {
        Zone::Utc => Ok(Value::Integer(0)),
        Zone::Offset(seconds) => Ok(Value::Integer(i64::from(seconds))),
        Zone::Local => unsupported("the local time zone"),
    }
}

fn no_daylight(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match own(call)?.zone {
        Zone::Local => unsupported("the local time zone"),
        _ => Ok(Value::Bool(false)),
    }
}

fn to_array(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let mut parts = Vec::new();
    for directive in ["%-S", "%-M", "%-H", "%-d", "%-m", "%Y", "%w", "%-j"] {
        parts.push(Value::Integer(part(vm, own, directive)?));
    }
    parts.extend([Value::Bool(false), zone_name(own)?]);
    Ok(Value::array(parts))
}

/// `utc` and `localtime` change the receiver; `getutc` and `getlocal` do not.
fn in_zone(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let name = call.name.name();
    let zone = match (&*name, call.argument(0)) {
        ("utc" | "gmtime" | "getutc" | "getgm", _) => Zone::Utc,
        (_, Some(zone)) if !zone.is_nil() => zone_of(vm, zone)?,
        _ => Zone::Local,
    };
    let moved = Moment { zone, ..own };
    if name.starts_with("get") {
        return Ok(value(vm, moved));
    }
    if own.zone != zone {
        vm.ensure_not_frozen(call.this)?;
        if let Value::Object(object) = call.this {
            object.set_data(moved);
        }
    }
    Ok(call.this.clone())
}

fn digits(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<usize> {
    match call.argument(0) {
        None => Ok(0),
        Some(it) => match usize::try_from(vm.expect_integer(it)?) {
            Ok(digits @ 0..=9) => Ok(digits),
            _ => unsupported("a Time with these digits"),
        },
    }
}

fn iso8601(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let digits = digits(vm, call)?;
    let text = written(vm, own.iso8601(digits))?;
    Ok(Value::from(text))
}

fn shown(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let own = own(call)?;
    let utc = Moment { zone: Zone::Utc, ..own };
    let text = match &*call.name.name() {
        "to_s" => own.text(),
        "inspect" => own.inspected(),
        "httpdate" => utc.format("%a, %d %b %Y %H:%M:%S GMT"),
        "rfc2822" | "rfc822" if own.zone == Zone::Utc => own.format("%a, %d %b %Y %T -0000"),
        "rfc2822" | "rfc822" => own.format("%a, %d %b %Y %T %z"),
        _ => own.format("%a %b %e %T %Y"),
    };
    Ok(ascii(written(vm, text)?))
}

fn fraction(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let fraction = own(call)?.fraction();
    Ok(Value::Integer(match &*call.name.name() {
        "usec" | "tv_usec" => (fraction / 1000) as i64,
        "subsec" if fraction != 0 => return unsupported("Rational"),
        _ => fraction as i64,
    }))
}

const METHODS: &[NativeMethod] = &[
    exactly("<=>", 1, compare),
    exactly("eql?", 1, |_, call| {
        let own = own(call)?;
        Ok(Value::Bool(moment_in(call.required(0)).is_some_and(|it| it.nanoseconds == own.nanoseconds)))
    }),
    exactly("+", 1, add),
    exactly("-", 1, add),
    exactly("strftime", 1, strftime),
    exactly("to_i", 0, |_, call| Ok(Value::big(BigInt::from(own(call)?.seconds())))),
    exactly("tv_sec", 0, |_, call| Ok(Value::big(BigInt::from(own(call)?.seconds())))),
    exactly("to_f", 0, |_, call| Ok(Value::Float(own(call)?.to_float()))),
    exactly("usec", 0, fraction),
    exactly("tv_usec", 0, fraction),
    exactly("nsec", 0, fraction),
    exactly("tv_nsec", 0, fraction),
    exactly("subsec", 0, fraction),
    exactly("year", 0, read),
    exactly("month", 0, read),
    exactly("mon", 0, read),
    exactly("day", 0, read),
    exactly("mday", 0, read),
    exactly("hour", 0, read),
    exactly("min", 0, read),
    exactly("sec", 0, read),
    exactly("wday", 0, read),
    exactly("yday", 0, read),
    exactly("sunday?", 0, read),
    exactly("monday?", 0, read),
    exactly("tuesday?", 0, read),
    exactly("wednesday?", 0, read),
    exactly("thursday?", 0, read),
    exactly("friday?", 0, read),
    exactly("saturday?", 0, read),
    exactly("zone", 0, |_, call| zone_name(own(call)?)),
    exactly("utc_offset", 0, offset),
    exactly("gmt_offset", 0, offset),
    exactly("gmtoff", 0, offset),
    exactly("dst?", 0, no_daylight),
    exactly("isdst", 0, no_daylight),
    exactly("utc?", 0, |_, call| Ok(Value::Bool(own(call)?.zone == Zone::Utc))),
    exactly("gmt?", 0, |_, call| Ok(Value::Bool(own(call)?.zone == Zone::Utc))),
    exactly("to_a", 0, to_array),
    exactly("utc", 0, in_zone),
    exactly("gmtime", 0, in_zone),
    exactly("getutc", 0, in_zone),
    exactly("getgm", 0, in_zone),
    between("localtime", 0, 1, in_zone),
    between("getlocal", 0, 1, in_zone),
    between("iso8601", 0, 1, iso8601),
    between("xmlschema", 0, 1, iso8601),
    exactly("to_s", 0, shown),
    exactly("inspect", 0, shown),
    exactly("httpdate", 0, shown),
    exactly("rfc2822", 0, shown),
    exactly("rfc822", 0, shown),
    exactly("ctime", 0, shown),
    exactly("asctime", 0, shown),
    between("round", 0, 1, |vm, call| {
        let own = own(call)?;
        let digits = digits(vm, call)?;
        Ok(value(vm, own.rounded(u32::try_from(digits).unwrap_or(9))))
    }),
];

fn local(_: &mut Vm<'_>, _: &Call<'_>) -> Result {
    unsupported("the local time zone")
}

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[NativeClass {
    name: "Time",
    superclass: Some("Object"),
    includes: &["Comparable"],
    methods: &[METHODS],
    singleton_methods: &[&[
        exactly("now", 0, time_now).with_keywords(),
        between("at", 1, 3, at).with_keywords(),
        between("new", 0, 7, new).with_keywords(),
        between("utc", 1, 10, utc_time),
        between("gm", 1, 10, utc_time),
        between("local", 1, 10, local),
        between("mktime", 1, 10, local),
        exactly("iso8601", 1, parse_iso8601),
        exactly("xmlschema", 1, parse_iso8601),
        at_least("parse", 1, parse_any),
        at_least("strptime", 2, |_, _| unsupported("Time.strptime")),
    ]],
    ..NativeClass::EMPTY
}];
