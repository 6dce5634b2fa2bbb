// Operations that lanes of a warp do together: shuffles, votes, reductions.

#pragma once

#include "arithmetic.h"
#include "memory.h"

namespace ptx {

enum Shuffle : u32 {
    UP,
    DOWN,
    BUTTERFLY,
    FROM_INDEX
};

// shfl.sync: a value, which lane, the segment; option: how. Second destination: whether the lane was there.
inline void shuffle(Warp& warp, const Instruction& i, Lanes active)
{
    const u32 *value = warp.reg<u32>(i.read[0]), *by = warp.reg<u32>(i.read[1]), *segment = warp.reg<u32>(i.read[2]);
    alignas(64) u32 found[WARP] = {};
    Lanes there = 0;
    for (int lane = 0; lane < WARP; ++lane) {
        if (!(active >> lane & 1)) continue;
        const int distance = int(by[lane] & 31), mask = int(segment[lane] >> 8 & 31), clamp = int(segment[lane] & 31);
        const int first = lane & mask, last = first | (clamp & ~mask);
        int source = lane;
        bool inside = false;
        switch (i.option) {
            case UP: source = lane - distance, inside = source >= last; break;
            case DOWN: source = lane + distance, inside = source <= last; break;
            case BUTTERFLY: source = lane ^ distance, inside = source <= last; break;
            default: source = first | (distance & ~mask), inside = source <= last;
        }
        if (!inside) source = lane;
        there |= Lanes(inside) << lane;
        if (!(active >> source & 1)) report(warp, "a shuffle reads an inactive lane");
        found[lane] = value[source];
    }
    write(warp.reg<u32>(i.written[0]), active, [&](int lane) { return found[lane]; });
    if (i.num_written > 1) warp.set_predicate(i.written[1], there, active);
}

inline Lanes votes(Warp& warp, const Instruction& i, Lanes active)
{
    return (warp.predicate(i.read[0]) ^ (i.option ? ALL : 0)) & active;
}

inline void ballot(Warp& warp, const Instruction& i, Lanes active)
{
    const Lanes cast = votes(warp, i, active);
    write(warp.reg<u32>(i.written[0]), active, [&](int) { return cast; });
}

enum Vote {
    ANY,
    EVERY,
    UNANIMOUS
};

template <Vote How> void vote(Warp& warp, const Instruction& i, Lanes active)
{
    const Lanes cast = votes(warp, i, active);
    const bool carried = How == ANY ? cast != 0 : How == EVERY ? cast == active
                                                               : cast == 0 || cast == active;
    warp.set_predicate(i.written[0], carried ? ALL : 0, active);
}

// bar.warp.sync, which also orders the memory that the lanes use.
inline void meet(Warp& warp, const Instruction&, Lanes) { ++warp.barriers; }

inline void active_lanes(Warp& warp, const Instruction& i, Lanes active)
{
    write(warp.reg<u32>(i.written[0]), active, [&](int) { return active; });
}

template <class T> void match_any(Warp& warp, const Instruction& i, Lanes active)
{
    const T* value = warp.reg<T>(i.read[0]);
    alignas(64) u32 same[WARP] = {};
    for (int lane = 0; lane < WARP; ++lane) {
        for (int other = 0; other < WARP; ++other) same[lane] |= u32(value[other] == value[lane]) << other;
    }
    write(warp.reg<u32>(i.written[0]), active, [&](int lane) { return same[lane] & active; });
}

template <class T, class F> void reduce(Warp& warp, const Instruction& i, Lanes active)
{
    const T* value = warp.reg<T>(i.read[0]);
    T whole = value[__builtin_ctz(active)];
    for (Lanes left = active & (active - 1); left; left &= left - 1) whole = F::f(whole, value[__builtin_ctz(left)], T());
    write(warp.reg<T>(i.written[0]), active, [&](int) { return whole; });
}

inline void nothing(Warp&, const Instruction&, Lanes) {}

inline void trap(Warp&, const Instruction&, Lanes) { fail("trap"); }

}  // namespace ptx
