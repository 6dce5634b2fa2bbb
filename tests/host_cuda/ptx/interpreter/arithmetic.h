// Operations of each lane for itself: numbers, comparisons, selections, conversions.
//
// Names and results are those of the PTX ISA, chapter "Instruction Set". Where signs make no difference an
// operation exists for each width alone.

#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "machine.h"

namespace ptx {

using u128 = unsigned __int128;
using s128 = __int128;

// Write value(lane) for the active lanes.
template <class T, class Value> inline void write(T* to, Lanes active, Value value)
{
    if (active == ALL) {
        EACH_LANE to[lane] = value(lane);
    } else if (__builtin_popcount(active) <= 4) {
        for (Lanes left = active; left; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            to[lane] = value(lane);
        }
    } else {
        alignas(64) T found[WARP];
        EACH_LANE found[lane] = value(lane);
        EACH_LANE to[lane] = active >> lane & 1 ? found[lane] : to[lane];
    }
}

template <class To, class From, class F> void unary(Warp& warp, const Instruction& i, Lanes active)
{
    const From* a = warp.reg<From>(i.read[0]);
    write(warp.reg<To>(i.written[0]), active, [&](int lane) { return To(F::f(a[lane])); });
}

template <class To, class A, class B, class F> void binary(Warp& warp, const Instruction& i, Lanes active)
{
    const A* a = warp.reg<A>(i.read[0]);
    const B* b = warp.reg<B>(i.read[1]);
    write(warp.reg<To>(i.written[0]), active, [&](int lane) { return To(F::f(a[lane], b[lane])); });
}

template <class To, class A, class B, class C, class F>
void ternary(Warp& warp, const Instruction& i, Lanes active)
{
    const A* a = warp.reg<A>(i.read[0]);
    const B* b = warp.reg<B>(i.read[1]);
    const C* c = warp.reg<C>(i.read[2]);
    write(warp.reg<To>(i.written[0]), active, [&](int lane) { return To(F::f(a[lane], b[lane], c[lane])); });
}

// As binary; lanes one by one, since others may hold what the host's division stops at.
template <class T, class F> void division(Warp& warp, const Instruction& i, Lanes active)
{
    const T *a = warp.reg<T>(i.read[0]), *b = warp.reg<T>(i.read[1]);
    T* to = warp.reg<T>(i.written[0]);
    for (int lane = 0; lane < WARP; ++lane) {
        if (active >> lane & 1) to[lane] = F::f(a[lane], b[lane]);
    }
}

template <class T> constexpr u32 BITS = sizeof(T) * 8;
template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T>
using Double = std::conditional_t<
    std::is_signed_v<T>, std::conditional_t<sizeof(T) == 2, s32, std::conditional_t<sizeof(T) == 4, s64, s128>>,
    std::conditional_t<sizeof(T) == 2, u32, std::conditional_t<sizeof(T) == 4, u64, u128>>>;

#define UNARY(Name, result)                                      \
    struct Name {                                                \
        template <class T> static auto f(T a) { return result; } \
    };
#define BINARY(Name, result)                                          \
    struct Name {                                                     \
        template <class T> static auto f(T a, T b) { return result; } \
    };

UNARY(Move, a)
UNARY(Negate, T(-a))
UNARY(Not, T(~a))
UNARY(IsZero, T(a == 0))
UNARY(Magnitude, T(a < 0 ? -a : a))
UNARY(CountOnes, u32(__builtin_popcountll(a)))
UNARY(CountLeadingZeros, u32(a ? __builtin_clzll(u64(a)) - (64 - BITS<T>) : BITS<T>))
UNARY(SquareRoot, T(std::sqrt(a)))
UNARY(Reciprocal, T(1) / a)
UNARY(FloatMagnitude, T(std::fabs(a)))

struct ReverseBits {
    template <class T> static T f(T a)
    {
        a = (a >> 1 & T(0x5555555555555555)) | (a & T(0x5555555555555555)) << 1;
        a = (a >> 2 & T(0x3333333333333333)) | (a & T(0x3333333333333333)) << 2;
        a = (a >> 4 & T(0x0F0F0F0F0F0F0F0F)) | (a & T(0x0F0F0F0F0F0F0F0F)) << 4;
        if constexpr (sizeof(T) == 4)
            return __builtin_bswap32(a);
        else
            return __builtin_bswap64(a);
    }
};

// The place of the highest bit that is not the sign; with Shift, how far to shift it up to the top.
template <bool Shift> struct FindHighest {
    template <class T> static u32 f(T a)
    {
        if (std::is_signed_v<T> && a < 0) a = T(~a);
        if (a == 0) return NONE;
        const u32 place = 63 - u32(__builtin_clzll(u64(Unsigned<T>(a))));
        return Shift ? BITS<T> - 1 - place : place;
    }
};

BINARY(Add, T(a + b))
BINARY(Subtract, T(a - b))
BINARY(Multiply, T(a* b))
BINARY(And, T(a& b))
BINARY(Or, T(a | b))
BINARY(Xor, T(a ^ b))
BINARY(Min, T(a < b ? a : b))
BINARY(Max, T(a > b ? a : b))
BINARY(FloatDivide, a / b)
BINARY(FloatMin, T(std::fmin(a, b)))
BINARY(FloatMax, T(std::fmax(a, b)))
BINARY(MultiplyHigh, T(Double<T>(a) * Double<T>(b) >> BITS<T>))
BINARY(MultiplyWide, Double<T>(Double<T>(a) * Double<T>(b)))

struct ShiftLeft {
    template <class T> static T f(T a, u32 by) { return by >= BITS<T> ? T(0) : T(a << by); }
};
struct ShiftRight {
    template <class T> static T f(T a, u32 by)
    {
        return by < BITS<T> ? T(a >> by) : std::is_signed_v<T> ? T(a >> (BITS<T> - 1))
                                                               : T(0);
    }
};
// By zero, and the lowest number by -1, as the device does.
struct Divide {
    template <class T> static T f(T a, T b)
    {
        if (b == 0) return T(~T(0));
        return std::is_signed_v<T> && b == T(-1) ? T(-a) : T(a / b);
    }
};
struct Remainder {
    template <class T> static T f(T a, T b)
    {
        if (b == 0) return a;
        return std::is_signed_v<T> && b == T(-1) ? T(0) : T(a % b);
    }
};

struct MultiplyAdd {
    template <class T> static T f(T a, T b, T c) { return T(a * b + c); }
};
struct MultiplyHighAdd {
    template <class T> static T f(T a, T b, T c) { return T(MultiplyHigh::f(a, b) + c); }
};
struct MultiplyWideAdd {
    template <class T, class W> static W f(T a, T b, W c) { return MultiplyWide::f(a, b) + c; }
};
struct FusedMultiplyAdd {
    static f64 f(f64 a, f64 b, f64 c) { return std::fma(a, b, c); }
};

// shf: the low half a, the high half b.
template <bool Left, bool Wrap> struct FunnelShift {
    static u32 f(u32 a, u32 b, u32 by)
    {
        by = Wrap ? by & 31 : std::min(by, 32u);
        const u64 both = u64(b) << 32 | a;
        return Left ? u32(both << by >> 32) : u32(both >> by);
    }
};

struct ExtractBits {
    template <class T> static T f(T a, u32 from, u32 count)
    {
        from &= 255, count &= 255;
        if (count == 0) return 0;
        const u32 got = from < BITS<T> ? std::min(count, BITS<T> - from) : 0;
        const bool negative = std::is_signed_v<T> && (a >> std::min(from + count - 1, BITS<T> - 1) & 1);
        Unsigned<T> bits = got ? Unsigned<T>(a) >> from : 0;
        if (got < BITS<T>) {
            const Unsigned<T> above = ~Unsigned<T>(0) << got;
            bits = negative ? bits | above : bits & ~above;
        }
        return T(bits);
    }
};

template <class T> void insert_bits(Warp& warp, const Instruction& i, Lanes active)
{
    const T *a = warp.reg<T>(i.read[0]), *b = warp.reg<T>(i.read[1]);
    const u32 *from = warp.reg<u32>(i.read[2]), *count = warp.reg<u32>(i.read[3]);
    write(warp.reg<T>(i.written[0]), active, [&](int lane) {
        const u32 first = from[lane] & 255, bits = count[lane] & 255;
        if (first >= BITS<T> || bits == 0) return b[lane];
        const T mask = T((bits >= BITS<T> ? ~T(0) : T((T(1) << bits) - 1)) << first);
        return T((b[lane] & ~mask) | (T(a[lane] << first) & mask));
    });
}

struct PermuteBytes {
    static u32 f(u32 a, u32 b, u32 selectors)
    {
        const u64 both = u64(b) << 32 | a;
        u32 found = 0;
        for (int place = 0; place < 4; ++place) {
            const u32 selector = selectors >> 4 * place & 15, byte = u32(both >> 8 * (selector & 7)) & 255;
            found |= (selector & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * place;
        }
        return found;
    }
};

template <class Byte> struct DotProduct4 {
    static u32 f(u32 a, u32 b, u32 sum)
    {
        for (int shift = 0; shift < 32; shift += 8) sum += u32(s32(Byte(a >> shift)) * s32(Byte(b >> shift)));
        return sum;
    }
};
template <int Shift> struct DotProduct2 {
    static u32 f(u32 a, u32 b, u32 sum)
    {
        return sum + (a & 0xFFFF) * (b >> Shift & 255) + (a >> 16) * (b >> (Shift + 8) & 255);
    }
};

// Of each place, the bit of the table that three bits choose.
inline void choose_by_table(Warp& warp, const Instruction& i, Lanes active)
{
    const u32 *a = warp.reg<u32>(i.read[0]), *b = warp.reg<u32>(i.read[1]), *c = warp.reg<u32>(i.read[2]);
    u32 row[8];
    for (int x = 0; x < 8; ++x) row[x] = i.number >> x & 1 ? ~0u : 0;
    write(warp.reg<u32>(i.written[0]), active, [&](int lane) {
        const u32 x = a[lane], y = b[lane], z = c[lane];
        const u32 without = (~y & ((~z & row[0]) | (z & row[1]))) | (y & ((~z & row[2]) | (z & row[3])));
        const u32 with = (~y & ((~z & row[4]) | (z & row[5]))) | (y & ((~z & row[6]) | (z & row[7])));
        return (~x & without) | (x & with);
    });
}

// Sums with a carry. Option, bit 0: takes it; bit 1: gives it.
enum Carry : u32 {
    TAKES = 1,
    GIVES = 2
};

template <class T, class Sum> inline void with_carry(Warp& warp, const Instruction& i, Lanes active, Sum sum)
{
    alignas(64) T found[WARP];
    Lanes carried = 0;
    for (int lane = 0; lane < WARP; ++lane) {
        bool carry = i.option & TAKES && warp.carry >> lane & 1;
        found[lane] = sum(lane, carry);
        carried |= Lanes(carry) << lane;
    }
    write(warp.reg<T>(i.written[0]), active, [&](int lane) { return found[lane]; });
    if (i.option & GIVES) warp.carry = (warp.carry & ~active) | (carried & active);
}

template <class T> inline T add_with(T a, T b, bool& carry)
{
    const T sum = T(a + b), whole = T(sum + carry);
    carry = sum < a || whole < sum;
    return whole;
}

template <class T> void add_carry(Warp& warp, const Instruction& i, Lanes active)
{
    const T *a = warp.reg<T>(i.read[0]), *b = warp.reg<T>(i.read[1]);
    with_carry<T>(warp, i, active, [&](int lane, bool& carry) { return add_with(a[lane], b[lane], carry); });
}

template <class T> void subtract_borrow(Warp& warp, const Instruction& i, Lanes active)
{
    const T *a = warp.reg<T>(i.read[0]), *b = warp.reg<T>(i.read[1]);
    with_carry<T>(warp, i, active, [&](int lane, bool& borrow) {
        const T difference = T(a[lane] - b[lane] - borrow);
        borrow = a[lane] < b[lane] || (a[lane] == b[lane] && borrow);
        return difference;
    });
}

template <class T, bool High> void multiply_add_carry(Warp& warp, const Instruction& i, Lanes active)
{
    const T *a = warp.reg<T>(i.read[0]), *b = warp.reg<T>(i.read[1]), *c = warp.reg<T>(i.read[2]);
    with_carry<T>(warp, i, active, [&](int lane, bool& carry) {
        const T product = High ? MultiplyHigh::f(a[lane], b[lane]) : Multiply::f(a[lane], b[lane]);
        return add_with(product, c[lane], carry);
    });
}

BINARY(Equal, a == b)
BINARY(NotEqual, a != b)
BINARY(Less, a < b)
BINARY(LessOrEqual, a <= b)
BINARY(Greater, a > b)
BINARY(GreaterOrEqual, a >= b)
BINARY(LessOrGreater, a<b || a> b)
// Of floating point numbers: true as well if one is not a number.
BINARY(EqualOrNot, !(a < b || a > b))
BINARY(LessOrNot, !(a >= b))
BINARY(LessOrEqualOrNot, !(a > b))
BINARY(GreaterOrNot, !(a <= b))
BINARY(GreaterOrEqualOrNot, !(a < b))
BINARY(BothNumbers, a == a && b == b)
BINARY(NotBothNumbers, a != a || b != b)

// setp, which joins its result with a predicate, its third source. Option: how, and whether the predicate is
// negated. A second destination gets the opposite.
enum Join : u32 {
    ALONE,
    WITH_AND,
    WITH_OR,
    WITH_XOR,
    NEGATED = 4
};

template <class T, class F> void compare(Warp& warp, const Instruction& i, Lanes active)
{
    const T *a = warp.reg<T>(i.read[0]), *b = warp.reg<T>(i.read[1]);
    alignas(64) u32 bits[WARP];
    EACH_LANE bits[lane] = u32(F::f(a[lane], b[lane])) << lane;
    Lanes is = 0;
    EACH_LANE is |= bits[lane];
    Lanes is_not = ~is;
    if (i.option & 3) {
        const Lanes other = warp.predicate(i.read[2]) ^ (i.option & NEGATED ? ALL : 0);
        const auto join = [&](Lanes x) {
            const u32 how = i.option & 3;
            return how == WITH_AND ? x & other : how == WITH_OR ? x | other
                                                                : x ^ other;
        };
        is = join(is), is_not = join(is_not);
    }
    warp.set_predicate(i.written[0], is, active);
    if (i.num_written > 1) warp.set_predicate(i.written[1], is_not, active);
}

template <class T> void select(Warp& warp, const Instruction& i, Lanes active)
{
    const T *a = warp.reg<T>(i.read[0]), *b = warp.reg<T>(i.read[1]);
    const Lanes first = warp.predicate(i.read[2]) ^ (i.option ? ALL : 0);
    write(warp.reg<T>(i.written[0]), active, [&](int lane) { return first >> lane & 1 ? a[lane] : b[lane]; });
}

// Operations on predicates. Option, bit k: source k is negated.
template <class F> void join_predicates(Warp& warp, const Instruction& i, Lanes active)
{
    const Lanes a = warp.predicate(i.read[0]) ^ (i.option & 1 ? ALL : 0);
    const Lanes b = warp.predicate(i.read[1]) ^ (i.option & 2 ? ALL : 0);
    warp.set_predicate(i.written[0], F::f(a, b), active);
}
template <class F> void change_predicate(Warp& warp, const Instruction& i, Lanes active)
{
    warp.set_predicate(i.written[0], F::f(warp.predicate(i.read[0]) ^ (i.option & 1 ? ALL : 0)), active);
}

// Conversions between integers: option has the code of the source's type, its register's bytes, the code of
// the result's type and its register's bytes, eight bits each, the first lowest. Codes are bytes, and SIGNED.
constexpr u32 SIGNED = 16;

template <class Register, class T> inline void widen(Warp& warp, u32 offset, s64* to)
{
    const Register* from = warp.reg<Register>(offset);
    EACH_LANE to[lane] = s64(T(from[lane]));
}
template <class Register> inline void widen(Warp& warp, u32 offset, u32 type, s64* to)
{
    switch (type) {
        case 1: return widen<Register, u8>(warp, offset, to);
        case 2: return widen<Register, u16>(warp, offset, to);
        case 4: return widen<Register, u32>(warp, offset, to);
        case SIGNED + 1: return widen<Register, s8>(warp, offset, to);
        case SIGNED + 2: return widen<Register, s16>(warp, offset, to);
        case SIGNED + 4: return widen<Register, s32>(warp, offset, to);
        default: return widen<Register, s64>(warp, offset, to);
    }
}
template <class Register> inline void narrow(Warp& warp, u32 offset, u32 type, const s64* from, Lanes active)
{
    Register* to = warp.reg<Register>(offset);
    switch (type) {
        case 1: return write(to, active, [&](int lane) { return Register(u8(from[lane])); });
        case 2: return write(to, active, [&](int lane) { return Register(u16(from[lane])); });
        case 4: return write(to, active, [&](int lane) { return Register(u32(from[lane])); });
        case SIGNED + 1: return write(to, active, [&](int lane) { return Register(s8(from[lane])); });
        case SIGNED + 2: return write(to, active, [&](int lane) { return Register(s16(from[lane])); });
        case SIGNED + 4: return write(to, active, [&](int lane) { return Register(s32(from[lane])); });
        default: return write(to, active, [&](int lane) { return Register(from[lane]); });
    }
}

inline void convert(Warp& warp, const Instruction& i, Lanes active)
{
    const u32 from = i.option & 255, to = i.option >> 16 & 255;
    alignas(64) s64 wide[WARP];
    switch (i.option >> 8 & 255) {
        case 2: widen<u16>(warp, i.read[0], from, wide); break;
        case 4: widen<u32>(warp, i.read[0], from, wide); break;
        default: widen<u64>(warp, i.read[0], from, wide);
    }
    switch (i.option >> 24) {
        case 2: return narrow<u16>(warp, i.written[0], to, wide, active);
        case 4: return narrow<u32>(warp, i.written[0], to, wide, active);
        default: return narrow<u64>(warp, i.written[0], to, wide, active);
    }
}

struct ToFloat {
    template <class T> static f64 f(T a) { return f64(a); }
};

// Option: how a fraction is rounded.
enum Rounding : u32 {
    TO_ZERO,
    TO_NEAREST,
    TO_FLOOR,
    TO_CEILING
};

inline f64 round_as(f64 x, u32 how)
{
    return how == TO_ZERO ? std::trunc(x) : how == TO_NEAREST ? std::nearbyint(x)
        : how == TO_FLOOR                                     ? std::floor(x)
                                                              : std::ceil(x);
}

template <class T> void convert_float(Warp& warp, const Instruction& i, Lanes active)
{
    const f64* a = warp.reg<f64>(i.read[0]);
    T* to = warp.reg<T>(i.written[0]);
    const f64 end = std::ldexp(1.0, int(BITS<T>) - std::is_signed_v<T>), begin = std::is_signed_v<T> ? -end : 0;
    for (int lane = 0; lane < WARP; ++lane) {
        if (!(active >> lane & 1)) continue;
        const f64 x = round_as(a[lane], i.option);
        const T least = std::is_signed_v<T> ? T(Unsigned<T>(1) << (BITS<T> - 1)) : T(0);
        to[lane] = x != x ? T(0) : x >= end ? T(~least)
            : x < begin                     ? least
                                            : T(x);
    }
}

inline void round_float(Warp& warp, const Instruction& i, Lanes active)
{
    const f64* a = warp.reg<f64>(i.read[0]);
    write(warp.reg<f64>(i.written[0]), active, [&](int lane) { return round_as(a[lane], i.option); });
}

// A register of several; option: the bytes of a part.
inline void pack(Warp& warp, const Instruction& i, Lanes active)
{
    const u32 bytes = i.option, whole = bytes * i.num_read;
    for (u32 part = 0; part < i.num_read; ++part) {
        for (u32 lane = 0; lane < WARP; ++lane) {
            if (!(active >> lane & 1)) continue;
            const u8* from = warp.registers + i.read[part] + lane * bytes;
            std::memcpy(warp.registers + i.written[0] + lane * whole + part * bytes, from, bytes);
        }
    }
}

inline void unpack(Warp& warp, const Instruction& i, Lanes active)
{
    const u32 bytes = i.option, whole = bytes * i.num_written;
    u8 copy[WARP * 16];
    std::memcpy(copy, warp.registers + i.read[0], WARP * whole);
    for (u32 part = 0; part < i.num_written; ++part) {
        if (i.written[part] == NONE) continue;
        for (u32 lane = 0; lane < WARP; ++lane) {
            if (!(active >> lane & 1)) continue;
            std::memcpy(warp.registers + i.written[part] + lane * bytes, copy + lane * whole + part * bytes, bytes);
        }
    }
}

// cvta: into a generic address, or out of one; number: what is added.
inline void convert_address(Warp& warp, const Instruction& i, Lanes active)
{
    const u64* a = warp.reg<u64>(i.read[0]);
    write(warp.reg<u64>(i.written[0]), active, [&](int lane) { return a[lane] + u64(i.number); });
}

inline void is_of_space(Warp& warp, const Instruction& i, Lanes active)
{
    const u64* a = warp.reg<u64>(i.read[0]);
    Lanes is = 0;
    for (int lane = 0; lane < WARP; ++lane) is |= Lanes(a[lane] >> SPACE_SHIFT == i.space) << lane;
    warp.set_predicate(i.written[0], is, active);
}

}  // namespace ptx
