/// The choices of a dialect that concern evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// X75: whether the empty string is true.
    pub empty_string_is_true: bool,
    /// X78: whether strings are numbers where a parameter's type asks for a number.
    pub strings_as_parameters: StringsAsParameters,
    /// X85: whether unknown variables are errors, if no setting says so. Where they are not, they are `undef`.
    pub strict_variables: bool,
    /// X94: what strings are that stand beside arrows, as in `'a' -> File['b']`.
    pub strings_in_relationships: StringsInRelationships,
    /// X100: what an option of `case` or of a selector matches whose value is `default`, though it is not that word.
    pub computed_default: ComputedDefault,
    /// X109: whether `inline_epp` hides the variables around the call when it is given others.
    pub given_variables_hide_others: bool,
    /// X143: who sees the local variables of lambdas and functions besides these.
    pub local_variables: LocalVariables,
    /// X115: what happens to values of an array that is assigned to fewer variables.
    pub surplus_values: SurplusValues,
}

/// Whether strings are numbers where a parameter's type asks for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringsAsParameters {
    /// They are not.
    AreTexts,
    /// They are, if they look like one and the type accepts no strings.
    AreNumbers,
}

/// What strings are that stand beside arrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringsInRelationships {
    /// Types, in their textual form: `'File[b]'`.
    Types,
    /// Names of classes; only with a capital at the beginning they are types.
    ClassNames,
}

/// What an option matches whose value is `default`, though it is not that word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputedDefault {
    /// Everything.
    MatchesAll,
    /// `default`.
    MatchesItself,
}

/// Who sees the local variables of lambdas and functions besides these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalVariables {
    /// Classes that are declared in them, while they are evaluated, if the scope around is around the classes, too; and names that
    /// say the class around.
    SeenByClasses,
    /// Nobody.
    OwnOnly,
}

/// What happens to values of an array that is assigned to fewer variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurplusValues {
    /// They are an error.
    AreRefused,
    /// Nothing.
    AreLeft,
}

impl Evaluation {
    /// What Puppet 8.11 does.
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

    /// What the latest specification says.
    pub const SPEC: Evaluation = Evaluation {
        strings_in_relationships: StringsInRelationships::ClassNames,
        computed_default: ComputedDefault::MatchesItself,
        given_variables_hide_others: true,
        local_variables: LocalVariables::OwnOnly,
        surplus_values: SurplusValues::AreLeft,
        ..Evaluation::PUPPET8
    };

    /// What the specification of July 2014 says; where it is silent, what Puppet 8.11 does.
    pub const JULY2014: Evaluation = Evaluation {
        strict_variables: false,
        local_variables: LocalVariables::OwnOnly,
        ..Evaluation::PUPPET8
    };

    /// What the specification of May 2014 says; where it is silent, what Puppet 8.11 does.
    pub const MAY2014: Evaluation = Evaluation {
        empty_string_is_true: false,
        strings_as_parameters: StringsAsParameters::AreNumbers,
        local_variables: LocalVariables::OwnOnly,
        ..Evaluation::PUPPET8
    };
}
