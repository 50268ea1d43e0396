use std::sync::Arc;

use super::*;
use crate::extent::TooDeep;
use crate::value::{Hash, Sensitive};

fn puppet() -> &'static Dialect {
    Dialect::puppet8()
}

#[test]
fn digits_are_those_of_ruby() {
    // The float 9.995 is slightly less than its literal: Ruby takes the rest for a half.
    let shown = |format, value| sprintf(puppet(), format, &[Value::Float(value)]).unwrap_or_default();
    assert_eq!(shown("%.2f", 9.995), "10.00");
    assert_eq!(shown("%.1f", 0.35), "0.4");
    assert_eq!(shown("%.1f", 0.25), "0.2");
    assert_eq!(shown("%.3f", 2.0005), "2.000");
    assert_eq!(shown("%.2g", 3.05e-8), "3.0e-08");
    assert_eq!(shown("%.2g", 3.0e-8), "3e-08");
    assert!(shown("%.2000f", 5e-324).ends_with(&"0".repeat(2000 - 1074)));
    assert!(shown("%.1074f", 5e-324).ends_with("65625"));
}

#[test]
fn hostile_widths_are_refused() {
    let number = Value::from(1);
    for format in ["%1000000000d", "%.1000000000d", "%.1000000000f", "%1000000000s", "%99999999999999999999d"]
    {
        let refused = sprintf(puppet(), format, std::slice::from_ref(&number));
        assert!(matches!(refused, Err(FormatError::TooWide(_))), "{format}");
        let format = Value::from(format);
        assert!(matches!(string_new(puppet(), &number, Some(&format)), Err(FormatError::TooWide(_))));
    }
    let many = "%1048576d".repeat(65);
    assert_eq!(sprintf(puppet(), &many, &vec![number; 65]), Err(FormatError::TooLong));
}

#[test]
fn deep_values_are_refused_or_shown() {
    let mut deep = Value::from("x");
    for _ in 0..2000 {
        deep = Value::Array([deep].into());
    }
    assert_eq!(string_new(puppet(), &deep, None), Err(FormatError::TooDeep(TooDeep)));
    assert_eq!(sprintf(puppet(), "%s", std::slice::from_ref(&deep)), Err(FormatError::TooDeep(TooDeep)));
    assert_eq!(interpolated(puppet(), &deep).len(), 4001);
}

#[test]
fn no_format_shows_what_is_sensitive() {
    let secret = Value::Sensitive(Sensitive::new("secret".into()));
    let hash: Hash = [("key".into(), secret.clone())].into_iter().collect();
    for value in [secret.clone(), Value::Array([secret].into()), Value::Hash(Arc::new(hash))] {
        let mut texts = vec![interpolated(puppet(), &value)];
        for format in ["%s", "%p", "%#p", "%a", "%#a", "%h"] {
            texts.extend(string_new(puppet(), &value, Some(&format.into())));
            texts.extend(sprintf(puppet(), format, std::slice::from_ref(&value)));
        }
        assert!(texts.len() > 3 && texts.iter().all(|it| !it.contains("secret")), "{texts:?}");
    }
}
