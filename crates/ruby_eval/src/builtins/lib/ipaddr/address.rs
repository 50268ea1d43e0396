//! Addresses of the internet protocol, as version 1.2 of Ruby's `ipaddr` reads and writes them.

use std::any::Any;
use std::cell::Ref;

use crate::value::Data;

/// An address with a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) is_v6: bool,
    pub(super) bits: u128,
    pub(super) mask: u128,
}

/// The reason why there is no address, with the message of the exception.
#[derive(Debug)]
pub(super) enum Fault {
    /// `IPAddr::InvalidAddressError`
    Address(String),
    /// `IPAddr::InvalidPrefixError`
    Prefix(String),
    /// `IPAddr::AddressFamilyError`
    Family(String),
    /// A form that is not implemented.
    Unsupported(&'static str),
}

impl Data for Address {
    fn eql(&self, other: &Ref<'_, Box<dyn Data>>) -> bool {
        (&***other as &dyn Any).downcast_ref::<Address>() == Some(self)
    }

    fn key_hash(&self) -> Option<u64> {
        let folded = self.bits ^ self.mask.rotate_left(64) ^ u128::from(self.is_v6);
        Some((folded ^ (folded >> 64)) as u64)
    }

    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(*self))
    }
}

fn invalid() -> Fault {
    // The message shows a variable that is not yet set.
    Fault::Address("invalid address: ".to_owned())
}

/// All bits of a family.
pub(super) fn all_bits(is_v6: bool) -> u128 {
    if is_v6 { u128::MAX } else { u128::from(u32::MAX) }
}

impl Address {
    /// An address of a number, without a network.
    pub(super) fn of_number(bits: u128, is_v6: bool) -> Result<Address, Fault> {
        match bits > all_bits(is_v6) {
            true => Err(invalid()),
            false => Ok(Address { is_v6, bits, mask: all_bits(is_v6) }),
        }
    }

    /// Reads an address, which a slash and a prefix or mask may follow. `family` says whether it must be of version 6.
    pub(super) fn parse(text: &str, family: Option<bool>) -> Result<Address, Fault> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let (mut address, mut family) = (address, family);
        if let Some(inner) = address.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            (address, family) = (inner, Some(true));
        }
        if let Some((_, zone)) = address.rsplit_once('%')
            && !zone.is_empty()
            && zone.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
        {
            return Err(Fault::Unsupported("an IPAddr with a zone"));
        }
        let v4 = if family == Some(true) { None } else { parse_v4(address)? };
        let mut parsed = match v4 {
            Some(bits) => Address { is_v6: false, bits, mask: all_bits(false) },
            None if family == Some(false) => return Err(Fault::Family("address family mismatch".to_owned())),
            None => Address { is_v6: true, bits: parse_v6(address)?, mask: all_bits(true) },
        };
        if let Some(prefix) = prefix {
            parsed.apply_mask(prefix)?;
        }
        Ok(parsed)
    }

    /// Masks the address by a text: the length of a prefix, or a mask.
    pub(super) fn apply_mask(&mut self, mask: &str) -> Result<(), Fault> {
        let is_number = !mask.is_empty() && mask.bytes().all(|it| it.is_ascii_digit());
        if is_number && mask.len() > 1 && mask.starts_with('0') {
            return Err(Fault::Prefix("leading zeros in prefix".to_owned()));
        }
        if is_number {
            return self.apply_prefix(mask.parse().unwrap_or(i64::MAX));
        }
        let other = Address::parse(mask, None)?;
        if other.is_v6 != self.is_v6 {
            return Err(Fault::Prefix(format!("address family is not same: {}", self.bits)));
        }
        let hosts = other.bits ^ other.mask;
        if hosts.wrapping_add(1) & hosts != 0 {
            return Err(Fault::Prefix(format!("invalid mask {mask}: {}", self.bits)));
        }
        self.mask = other.bits;
        self.bits &= self.mask;
        Ok(())
    }

    /// Masks the address by the length of a prefix.
    pub(super) fn apply_prefix(&mut self, length: i64) -> Result<(), Fault> {
        let longest = if self.is_v6 { 128 } else { 32 };
        if !(0..=longest).contains(&length) {
            return Err(Fault::Prefix(format!("invalid length: {}", self.bits)));
        }
        let hosts = u32::try_from(longest - length).unwrap_or(0);
        let mask = all_bits(self.is_v6);
        self.mask = mask.checked_shr(hosts).and_then(|it| it.checked_shl(hosts)).unwrap_or(0);
        self.bits &= self.mask;
        Ok(())
    }

    /// The same network with another address.
    pub(super) fn with_bits(self, bits: Option<u128>) -> Result<Address, Fault> {
        match bits.filter(|it| *it <= all_bits(self.is_v6)) {
            Some(bits) => Ok(Address { bits, ..self }),
            None => Err(Fault::Address(format!("invalid address: {}", self.bits))),
        }
    }

    pub(super) fn first(self) -> u128 {
        self.bits & self.mask
    }

    pub(super) fn last(self) -> u128 {
        self.bits | (all_bits(self.is_v6) ^ self.mask)
    }

    /// The length of the prefix that the mask is.
    pub(super) fn prefix(self) -> i64 {
        let hosts = all_bits(self.is_v6) ^ self.mask;
        let longest = if self.is_v6 { 128 } else { 32 };
        longest - i64::from(128 - hosts.leading_zeros())
    }

    /// A number of this family in full.
    pub(super) fn full(self, bits: u128) -> String {
        if self.is_v6 {
            let groups: Vec<String> = groups(bits).map(|it| format!("{it:04x}")).collect();
            return groups.join(":");
        }
        let octets: Vec<String> = (0..4).rev().map(|it| ((bits >> (8 * it)) & 0xff).to_string()).collect();
        octets.join(".")
    }

    /// The address in its short form.
    pub(super) fn short(self) -> String {
        if !self.is_v6 {
            return self.full(self.bits);
        }
        let groups: Vec<u16> = groups(self.bits).collect();
        let runs = (2..=8).rev().find_map(|length| {
            let start = groups.windows(length).position(|it| it.iter().all(|it| *it == 0))?;
            Some((start, length))
        });
        let joined = |groups: &[u16]| {
            let texts: Vec<String> = groups.iter().map(|it| format!("{it:x}")).collect();
            texts.join(":")
        };
        let Some((start, length)) = runs else { return joined(&groups) };
        let text = format!("{}::{}", joined(&groups[..start]), joined(&groups[start + length..]));
        let high = (self.bits >> 16) & 0xffff;
        let low = self.bits & 0xffff;
        let tail =
            |marker: &str| format!("::{marker}{}.{}.{}.{}", high >> 8, high & 0xff, low >> 8, low & 0xff);
        let is_pair = |text: &str| text.split(':').count() == 2 && text.split(':').all(|it| !it.is_empty());
        match text.strip_prefix("::") {
            Some(rest) if rest.strip_prefix("ffff:").is_some_and(is_pair) => tail("ffff:"),
            Some(rest) if is_pair(rest) => tail(""),
            _ => text,
        }
    }

    /// The labels of a name for the reverse lookup.
    pub(super) fn reversed(self) -> String {
        if self.is_v6 {
            let digits: Vec<String> =
                (0..32).map(|it| format!("{:x}", (self.bits >> (4 * it)) & 0xf)).collect();
            return digits.join(".");
        }
        let octets: Vec<String> = (0..4).map(|it| ((self.bits >> (8 * it)) & 0xff).to_string()).collect();
        octets.join(".")
    }

    pub(super) fn bytes(self) -> Vec<u8> {
        match self.is_v6 {
            true => self.bits.to_be_bytes().to_vec(),
            false => (self.bits as u32).to_be_bytes().to_vec(),
        }
    }

    pub(super) fn is_mapped(self) -> bool {
        self.is_v6 && self.bits >> 32 == 0xffff
    }

    /// Whether the address is an old form of one of version 4.
    pub(super) fn is_compatible(self) -> bool {
        self.is_v6 && self.bits >> 32 == 0 && self.bits > 1
    }

    /// The address of version 4 in one of version 6.
    pub(super) fn native(self) -> Address {
        match self.is_mapped() || self.is_compatible() {
            true => {
                Address { is_v6: false, bits: self.bits & all_bits(false), mask: self.mask & all_bits(false) }
            }
            false => self,
        }
    }
}

fn groups(bits: u128) -> impl Iterator<Item = u16> {
    (0..8).rev().map(move |it| (bits >> (16 * it)) as u16)
}

/// Four octets. None if the text does not look like them.
fn parse_v4(text: &str) -> Result<Option<u128>, Fault> {
    let octets: Vec<&str> = text.split('.').collect();
    let is_octet = |it: &&str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    if octets.len() != 4 || !octets.iter().all(is_octet) {
        return Ok(None);
    }
    let mut bits = 0;
    for octet in octets {
        let Ok(number) = octet.parse::<u8>() else { return Err(invalid()) };
        if octet.len() > 1 && octet.starts_with('0') {
            return Err(Fault::Address("zero-filled number in IPv4 address is ambiguous: ".to_owned()));
        }
        bits = bits << 8 | u128::from(number);
    }
    Ok(Some(bits))
}

/// Groups in base 16, the last of which may be an address of version 4, which is two of them.
fn parse_groups(text: &str, groups: &mut Vec<u16>) -> Result<(), Fault> {
    if text.is_empty() {
        return Ok(());
    }
    let parts: Vec<&str> = text.split(':').collect();
    for (index, part) in parts.iter().enumerate() {
        if part.contains('.') && index + 1 == parts.len() {
            let bits = parse_v4(part)?.ok_or_else(invalid)?;
            groups.extend([(bits >> 16) as u16, bits as u16]);
            continue;
        }
        let is_group = (1..=4).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_hexdigit());
        let number = u16::from_str_radix(part, 16).ok().filter(|_| is_group);
        groups.push(number.ok_or_else(invalid)?);
    }
    Ok(())
}

fn parse_v6(text: &str) -> Result<u128, Fault> {
    let mut groups = Vec::new();
    match text.split_once("::") {
        Some((left, right)) => {
            if left.contains('.') {
                return Err(invalid());
            }
            let colons = text.matches(':').count();
            let most = if right.contains('.') {
                6
            } else if left.is_empty() || right.is_empty() {
                8
            } else {
                7
            };
            if colons > most {
                return Err(invalid());
            }
            let mut end = Vec::new();
            parse_groups(left, &mut groups)?;
            parse_groups(right, &mut end)?;
            if groups.len() + end.len() > 8 {
                return Err(invalid());
            }
            groups.resize(8 - end.len(), 0);
            groups.extend(end);
        }
        None => parse_groups(text, &mut groups)?,
    }
    if groups.len() != 8 {
        return Err(invalid());
    }
    Ok(groups.iter().fold(0, |bits, it| bits << 16 | u128::from(*it)))
}
