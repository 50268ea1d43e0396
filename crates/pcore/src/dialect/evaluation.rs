/// The choices of a dialect that concern evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// X75: whether the empty string is truthy.
    pub empty_string_is_true: bool,
    /// X78: whether strings are converted to numbers if a parameter's type requires a number.
    pub strings_as_parameters: StringsAsParameters,
    /// X85: whether unknown variables are errors by default, without the setting. Otherwise, they are `undef`.
    pub strict_variables: bool,
    /// X94: the meaning of strings as operands of arrows, as in `'a' -> File['b']`.
    pub strings_in_relationships: StringsInRelationships,
    /// X100: the values that match an option of `case` or of a selector if the option's value is `default`, but isn't
    /// written as that word.
    pub computed_default: ComputedDefault,
    /// X109: whether variables passed to `inline_epp` hide those around the call.
    pub given_variables_hide_others: bool,
    /// X143: the additional scopes that can see the local variables of lambdas and functions.
    pub local_variables: LocalVariables,
    /// X115: the handling of surplus values when an array is assigned to fewer variables.
    pub surplus_values: SurplusValues,
}

/// Whether strings are converted to numbers if a parameter's type requires a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringsAsParameters {
    /// Strings are not converted.
    AreTexts,
    /// They are if they look like a number and the type doesn't accept strings.
    AreNumbers,
}

/// The meaning of strings as operands of arrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringsInRelationships {
    /// Types, in their textual form: `'File[b]'`.
    Types,
    /// Class names; with a capital first letter, types.
    ClassNames,
}

/// The values that match an option whose value is `default`, but isn't written as that word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputedDefault {
    /// It matches all values.
    MatchesAll,
    /// It only matches `default`.
    MatchesItself,
}

/// The additional scopes that can see the local variables of lambdas and functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalVariables {
    /// The scopes of classes that are declared in them, during their evaluation, if the surrounding scope also
    /// surrounds these classes; and names qualified with the surrounding class.
    SeenByClasses,
    /// Only its own variables.
    OwnOnly,
}

/// The handling of surplus values when an array is assigned to fewer variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurplusValues {
    /// Surplus values are an error.
    AreRefused,
    /// Surplus values are ignored.
    AreLeft,
}

impl Evaluation {
    /// The choices of Puppet 8.11.
    pub const PUPPET8: Evaluation = Evaluation {
        empty_string_is_true: true,
        strings_as_parameters: StringsAsParameters::AreTexts,
        strict_variables: true,
        strings_in_relationships: StringsInRelationships::Types,
        computed_default: ComputedDefault::MatchesAll,
        given_variables_hide_others: false,
        local_variables: LocalVariables::SeenByClasses,
        surplus_values: SurplusValues::AreRefused,
    };

    /// The choices of the latest specification.
    pub const SPEC: Evaluation = Evaluation {
        strings_in_relationships: StringsInRelationships::ClassNames,
        computed_default: ComputedDefault::MatchesItself,
        given_variables_hide_others: true,
        local_variables: LocalVariables::OwnOnly,
        surplus_values: SurplusValues::AreLeft,
        ..Evaluation::PUPPET8
    };

    /// The choices of the specification of July 2014; where it is silent, those of Puppet 8.11.
    pub const JULY2014: Evaluation = Evaluation {
        strict_variables: false,
        local_variables: LocalVariables::OwnOnly,
        ..Evaluation::PUPPET8
    };

    /// The choices of the specification of May 2014; where it is silent, those of Puppet 8.11.
    pub const MAY2014: Evaluation = Evaluation {
        empty_string_is_true: false,
        strings_as_parameters: StringsAsParameters::AreNumbers,
        local_variables: LocalVariables::OwnOnly,
        ..Evaluation::PUPPET8
    };
}
