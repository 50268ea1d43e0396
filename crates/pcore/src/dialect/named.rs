//! The four dialects. Where a document is silent, its dialect does what the reference does.

use super::names;
use super::{
    AbstractType, Contained, DataExtent, Dialect, IntegerWidth, NotUndefInCommon, Operators,
    OptionalInCommon, RangeDirection, RichDataKeys, SingleBound, SizesInCommon, StringsInCommon,
    StructsInCommon, TextAnchors, Texts, TimesInCommon, TuplesInCommon, TwoNumbers, UndefFits, UndefInCommon,
    VariantsInCommon, WithoutParameters,
};

/// What Puppet 8.11 does: the default.
pub static PUPPET8: Dialect = Dialect {
    name: "puppet8",
    type_names: &names::TODAY,
    undef_fits: UndefFits::Optional,
    data: DataExtent::ScalarData,
    contained: Contained::Any,
    integer_width: IntegerWidth::Bits64,
    range_direction: RangeDirection::Ascending,
    single_bound: SingleBound::Least,
    pattern_without_parameters: WithoutParameters::All,
    enum_without_parameters: WithoutParameters::Nothing,
    struct_without_parameters: WithoutParameters::Nothing,
    optional_without_parameters: WithoutParameters::All,
    runtime_without_class: false,
    version_ranges_are_scalar: true,
    boolean_has_parameter: true,
    struct_has_key_types: true,
    optional_of_string: true,
    class_of_resource_type: false,
    abstract_types: &[
        AbstractType::Numeric,
        AbstractType::ScalarData,
        AbstractType::Scalar,
        AbstractType::Data,
        AbstractType::TypeOfCommon,
        AbstractType::RichData,
    ],
    rich_data_keys: RichDataKeys::RichDataKey,
    callable_has_result: true,
    text_anchors: TextAnchors::Kept,
    strings_in_common: StringsInCommon::Enum,
    times_in_common: TimesInCommon::Abstract,
    tuples_in_common: TuplesInCommon::Abstract,
    not_undef_in_common: NotUndefInCommon::Abstract,
    structs_in_common: StructsInCommon::Abstract,
    variants_in_common: VariantsInCommon::Abstract,
    optional_in_common: OptionalInCommon::Kept,
    undef_in_common: UndefInCommon::Nothing,
    sizes_in_common: SizesInCommon::Dropped,
    empty_string_is_true: true,
    timespan_of_two_numbers: TwoNumbers::Refused,
    operators: Operators::PUPPET8,
    texts: Texts::PUPPET8,
};

/// The latest specification to the letter.
pub static SPEC: Dialect = Dialect {
    name: "spec",
    type_names: &names::TODAY,
    undef_fits: UndefFits::Optional,
    data: DataExtent::ScalarData,
    contained: Contained::Any,
    integer_width: IntegerWidth::Bits64,
    range_direction: RangeDirection::Ascending,
    single_bound: SingleBound::Exact,
    pattern_without_parameters: WithoutParameters::All,
    enum_without_parameters: WithoutParameters::All,
    struct_without_parameters: WithoutParameters::All,
    optional_without_parameters: WithoutParameters::Nothing,
    runtime_without_class: true,
    version_ranges_are_scalar: false,
    boolean_has_parameter: true,
    struct_has_key_types: true,
    optional_of_string: true,
    class_of_resource_type: true,
    abstract_types: &[
        AbstractType::Numeric,
        AbstractType::Scalar,
        AbstractType::Collection,
        AbstractType::CatalogEntry,
        AbstractType::TypeOfCommon,
    ],
    rich_data_keys: RichDataKeys::RichData,
    callable_has_result: true,
    text_anchors: TextAnchors::Kept,
    strings_in_common: StringsInCommon::Remembered,
    times_in_common: TimesInCommon::Covered,
    tuples_in_common: TuplesInCommon::ByPosition,
    not_undef_in_common: NotUndefInCommon::Kept,
    structs_in_common: StructsInCommon::Merged,
    variants_in_common: VariantsInCommon::Extended,
    optional_in_common: OptionalInCommon::Dropped,
    undef_in_common: UndefInCommon::Any,
    sizes_in_common: SizesInCommon::Kept,
    empty_string_is_true: true,
    timespan_of_two_numbers: TwoNumbers::HoursAndMinutes,
    operators: Operators::SPEC,
    texts: Texts::SPEC,
};

/// The specification of July 2014.
pub static JULY2014: Dialect = Dialect {
    name: "2014-07",
    type_names: &names::JULY2014,
    undef_fits: UndefFits::Optional,
    data: DataExtent::Scalar,
    contained: Contained::Data,
    integer_width: IntegerWidth::Unlimited,
    range_direction: RangeDirection::Either,
    boolean_has_parameter: false,
    struct_has_key_types: false,
    optional_of_string: false,
    callable_has_result: false,
    text_anchors: TextAnchors::Removed,
    pattern_without_parameters: WithoutParameters::Nothing,
    enum_without_parameters: WithoutParameters::Nothing,
    operators: Operators::YEAR2014,
    texts: Texts::PUPPET8,
    ..SPEC
};

/// The specification of May 2014.
pub static MAY2014: Dialect = Dialect {
    name: "2014-05",
    type_names: &names::MAY2014,
    undef_fits: UndefFits::Everything,
    // Of catalog entries and of scalars it only says what they have in common with others: nothing but `Object`.
    abstract_types: &[AbstractType::Numeric, AbstractType::Collection, AbstractType::TypeOfCommon],
    structs_in_common: StructsInCommon::Abstract,
    variants_in_common: VariantsInCommon::Abstract,
    empty_string_is_true: false,
    ..JULY2014
};
