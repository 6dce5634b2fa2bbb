// The operations by name, as program.py asks for them.
//
// A name ends in the type, "u32" or "s64", where signs matter; in the width, "32", where they do not.

#pragma once

#include <string>
#include <vector>

#include "arithmetic.h"
#include "memory.h"
#include "warps.h"

namespace ptx {

struct Named {
    std::string name;
    Operation run;
};

using Table = std::vector<Named>;

template <class T> void list_by_width(Table& table, const std::string& width)
{
    const auto add = [&](const char* name, Operation run) { table.push_back({name + ("." + width), run}); };
    add("add", binary<T, T, T, Add>);
    add("sub", binary<T, T, T, Subtract>);
    add("mul.lo", binary<T, T, T, Multiply>);
    add("mad.lo", ternary<T, T, T, T, MultiplyAdd>);
    add("and", binary<T, T, T, And>);
    add("or", binary<T, T, T, Or>);
    add("xor", binary<T, T, T, Xor>);
    add("not", unary<T, T, Not>);
    add("cnot", unary<T, T, IsZero>);
    add("neg", unary<T, T, Negate>);
    add("mov", unary<T, T, Move>);
    add("shl", binary<T, T, u32, ShiftLeft>);
    add("selp", select<T>);
    add("setp.eq", compare<T, Equal>);
    add("setp.ne", compare<T, NotEqual>);
}

template <class T> void list_by_wide_width(Table& table, const std::string& width)
{
    const auto add = [&](const char* name, Operation run) { table.push_back({name + ("." + width), run}); };
    add("popc", unary<u32, T, CountOnes>);
    add("clz", unary<u32, T, CountLeadingZeros>);
    add("brev", unary<T, T, ReverseBits>);
    add("bfi", insert_bits<T>);
    add("addc", add_carry<T>);
    add("subc", subtract_borrow<T>);
    add("madc.lo", multiply_add_carry<T, false>);
    add("madc.hi", multiply_add_carry<T, true>);
    add("match.any", match_any<T>);
}

template <class T> void list_by_type(Table& table, const std::string& type)
{
    const auto add = [&](const char* name, Operation run) { table.push_back({name + ("." + type), run}); };
    add("mul.hi", binary<T, T, T, MultiplyHigh>);
    add("mad.hi", ternary<T, T, T, T, MultiplyHighAdd>);
    add("div", division<T, Divide>);
    add("rem", division<T, Remainder>);
    add("abs", unary<T, T, Magnitude>);
    add("min", binary<T, T, T, Min>);
    add("max", binary<T, T, T, Max>);
    add("shr", binary<T, T, u32, ShiftRight>);
    add("setp.lt", compare<T, Less>);
    add("setp.le", compare<T, LessOrEqual>);
    add("setp.gt", compare<T, Greater>);
    add("setp.ge", compare<T, GreaterOrEqual>);
    add("cvt.to", convert_float<T>);
    add("cvt.of", unary<f64, T, ToFloat>);
}

template <class T> void list_by_narrow_type(Table& table, const std::string& type)
{
    table.push_back({"mul.wide." + type, binary<Double<T>, T, T, MultiplyWide>});
    table.push_back({"mad.wide." + type, ternary<Double<T>, T, T, Double<T>, MultiplyWideAdd>});
}

template <class T> void list_by_wide_type(Table& table, const std::string& type)
{
    const auto add = [&](const char* name, Operation run) { table.push_back({name + ("." + type), run}); };
    add("bfind", unary<u32, T, FindHighest<false>>);
    add("bfind.shiftamt", unary<u32, T, FindHighest<true>>);
    add("bfe", ternary<T, T, u32, u32, ExtractBits>);
    add("atom.add", atomic<T, AtomicAdd>);
    add("atom.min", atomic<T, AtomicMin>);
    add("atom.max", atomic<T, AtomicMax>);
    add("atom.and", atomic<T, AtomicAnd>);
    add("atom.or", atomic<T, AtomicOr>);
    add("atom.xor", atomic<T, AtomicXor>);
    add("atom.exch", atomic<T, AtomicExchange>);
    add("atom.cas", atomic<T, AtomicCompareAndSwap>);
}

template <class T> void list_reductions(Table& table, const std::string& type)
{
    table.push_back({"redux.add." + type, reduce<T, AtomicAdd>});
    table.push_back({"redux.min." + type, reduce<T, AtomicMin>});
    table.push_back({"redux.max." + type, reduce<T, AtomicMax>});
    table.push_back({"redux.and." + type, reduce<T, AtomicAnd>});
    table.push_back({"redux.or." + type, reduce<T, AtomicOr>});
    table.push_back({"redux.xor." + type, reduce<T, AtomicXor>});
}

inline void list_floats(Table& table)
{
    const auto add = [&](const char* name, Operation run) { table.push_back({name + std::string(".f64"), run}); };
    add("add", binary<f64, f64, f64, Add>);
    add("sub", binary<f64, f64, f64, Subtract>);
    add("mul", binary<f64, f64, f64, Multiply>);
    add("div", binary<f64, f64, f64, FloatDivide>);
    add("min", binary<f64, f64, f64, FloatMin>);
    add("max", binary<f64, f64, f64, FloatMax>);
    add("fma", ternary<f64, f64, f64, f64, FusedMultiplyAdd>);
    add("mov", unary<f64, f64, Move>);
    add("neg", unary<f64, f64, Negate>);
    add("abs", unary<f64, f64, FloatMagnitude>);
    add("sqrt", unary<f64, f64, SquareRoot>);
    add("rcp", unary<f64, f64, Reciprocal>);
    add("selp", select<f64>);
    add("setp.eq", compare<f64, Equal>);
    add("setp.ne", compare<f64, LessOrGreater>);
    add("setp.lt", compare<f64, Less>);
    add("setp.le", compare<f64, LessOrEqual>);
    add("setp.gt", compare<f64, Greater>);
    add("setp.ge", compare<f64, GreaterOrEqual>);
    add("setp.equ", compare<f64, EqualOrNot>);
    add("setp.neu", compare<f64, NotEqual>);
    add("setp.ltu", compare<f64, LessOrNot>);
    add("setp.leu", compare<f64, LessOrEqualOrNot>);
    add("setp.gtu", compare<f64, GreaterOrNot>);
    add("setp.geu", compare<f64, GreaterOrEqualOrNot>);
    add("setp.num", compare<f64, BothNumbers>);
    add("setp.nan", compare<f64, NotBothNumbers>);
    add("cvt.round", round_float);
    add("atom.add", atomic<f64, AtomicAdd>);
}

// Into a register as wide as the type, or wider; a store takes a type's bytes of such a register.
template <class T, class Register> void list_memory(Table& table, const std::string& type)
{
    const std::string width = std::to_string(8 * sizeof(Register));
    table.push_back({"ld." + type + "." + width, load<T, Register>});
    if (!std::is_signed_v<T>) table.push_back({"st." + type + "." + width, store<T, Register>});
}

inline Table list_operations()
{
    Table table;
    list_by_width<u16>(table, "16");
    list_by_width<u32>(table, "32");
    list_by_width<u64>(table, "64");
    list_by_wide_width<u32>(table, "32");
    list_by_wide_width<u64>(table, "64");
    list_by_type<u16>(table, "u16");
    list_by_type<s16>(table, "s16");
    list_by_type<u32>(table, "u32");
    list_by_type<s32>(table, "s32");
    list_by_type<u64>(table, "u64");
    list_by_type<s64>(table, "s64");
    list_by_narrow_type<u16>(table, "u16");
    list_by_narrow_type<s16>(table, "s16");
    list_by_narrow_type<u32>(table, "u32");
    list_by_narrow_type<s32>(table, "s32");
    list_by_wide_type<u32>(table, "u32");
    list_by_wide_type<s32>(table, "s32");
    list_by_wide_type<u64>(table, "u64");
    list_by_wide_type<s64>(table, "s64");
    list_reductions<u32>(table, "u32");
    list_reductions<s32>(table, "s32");
    list_floats(table);
    list_memory<u8, u16>(table, "u8");
    list_memory<u8, u32>(table, "u8");
    list_memory<u8, u64>(table, "u8");
    list_memory<s8, u16>(table, "s8");
    list_memory<s8, u32>(table, "s8");
    list_memory<s8, u64>(table, "s8");
    list_memory<u16, u16>(table, "u16");
    list_memory<u16, u32>(table, "u16");
    list_memory<u16, u64>(table, "u16");
    list_memory<s16, u16>(table, "s16");
    list_memory<s16, u32>(table, "s16");
    list_memory<s16, u64>(table, "s16");
    list_memory<u32, u32>(table, "u32");
    list_memory<u32, u64>(table, "u32");
    list_memory<s32, u32>(table, "s32");
    list_memory<s32, u64>(table, "s32");
    list_memory<u64, u64>(table, "u64");
    list_memory<s64, u64>(table, "s64");
    const Table others{
        {"shf.l.wrap", ternary<u32, u32, u32, u32, FunnelShift<true, true>>},
        {"shf.l.clamp", ternary<u32, u32, u32, u32, FunnelShift<true, false>>},
        {"shf.r.wrap", ternary<u32, u32, u32, u32, FunnelShift<false, true>>},
        {"shf.r.clamp", ternary<u32, u32, u32, u32, FunnelShift<false, false>>},
        {"prmt", ternary<u32, u32, u32, u32, PermuteBytes>},
        {"lop3", choose_by_table},
        {"dp4a.u32.u32", ternary<u32, u32, u32, u32, DotProduct4<u8>>},
        {"dp4a.s32.s32", ternary<u32, u32, u32, u32, DotProduct4<s8>>},
        {"dp2a.lo.u32.u32", ternary<u32, u32, u32, u32, DotProduct2<0>>},
        {"dp2a.hi.u32.u32", ternary<u32, u32, u32, u32, DotProduct2<16>>},
        {"and.pred", join_predicates<And>},
        {"or.pred", join_predicates<Or>},
        {"xor.pred", join_predicates<Xor>},
        {"not.pred", change_predicate<Not>},
        {"mov.pred", change_predicate<Move>},
        {"cvt", convert},
        {"pack", pack},
        {"unpack", unpack},
        {"cvta", convert_address},
        {"isspacep", is_of_space},
        {"shfl", shuffle},
        {"vote.ballot", ballot},
        {"vote.any", vote<ANY>},
        {"vote.all", vote<EVERY>},
        {"vote.uni", vote<UNANIMOUS>},
        {"bar.warp", meet},
        {"activemask", active_lanes},
        {"nothing", nothing},
        {"trap", trap},
    };
    table.insert(table.end(), others.begin(), others.end());
    return table;
}

}  // namespace ptx
