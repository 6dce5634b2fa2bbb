// Loads, stores and atomic operations, and what is checked of them.
//
// Every access is checked to lie in an array, or in the block's or lane's own memory, and to be aligned.

#pragma once

#include <algorithm>

#include "machine.h"

namespace ptx {

enum Purpose {
    READ,
    WRITE,
    ATOMIC
};

// Option of a load or store: a read of read-only memory, an access that may meet others of its kind
// ("strong": volatile, relaxed, acquire, release). Atomic operations are strong.
enum AccessOption : u32 {
    NON_COHERENT = 1,
    STRONG = 2
};

constexpr const char* PURPOSES[] = {"read", "write", "atomic operation"};
constexpr const char* SPACES[] = {"global", "shared", "local", "parameter"};

// Where lanes access memory: addresses, the host's addresses, the space that these are in.
struct Places {
    alignas(64) u64 address[WARP];
    u8* host[WARP];
    Space space;
};

inline void read_addresses(Warp& warp, const Instruction& i, u64* address)
{
    if (i.read[0] == NONE) {
        EACH_LANE address[lane] = u64(i.number);
    } else if (i.narrow) {
        const u32* base = warp.reg<u32>(i.read[0]);
        EACH_LANE address[lane] = base[lane] + u64(i.number);
    } else {
        const u64* base = warp.reg<u64>(i.read[0]);
        EACH_LANE address[lane] = base[lane] + u64(i.number);
    }
}

// Fail for the first lane whose bytes are not all in [begin, end), or not aligned.
[[noreturn]] inline void fail_at(
    const u64* address, Lanes active, u32 bytes, u64 begin, u64 end, Space space, Purpose purpose)
{
    for (Lanes left = active;; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const unsigned long long at = address[lane];
        if (at & (bytes - 1)) {
            fail("misaligned %s %s of %u bytes at %llx, lane %d", SPACES[space], PURPOSES[purpose], bytes, at, lane);
        }
        if (at < begin || at + bytes > end) {
            const s64 past = at < begin ? s64(at - begin) : s64(at + bytes - end);
            fail(
                "%s %s of %u bytes, %lld past the end of %llu bytes, lane %d", SPACES[space], PURPOSES[purpose],
                bytes, (long long)past, (unsigned long long)(end - begin), lane);
        }
    }
}

inline bool all_within(const u64* address, Lanes active, u32 bytes, u64 begin, u64 end)
{
    u64 wrong = 0;
    const u64 room = end - begin;
    if (room < bytes) return false;
    if (active == ALL) {
        EACH_LANE wrong |= u64(address[lane] - begin > room - bytes) | (address[lane] & (bytes - 1));
    } else {
        for (Lanes left = active; left; left &= left - 1) {
            const u64 at = address[__builtin_ctz(left)];
            wrong |= u64(at - begin > room - bytes) | (at & (bytes - 1));
        }
    }
    return wrong == 0;
}

// The array that holds an address, or the nearest below it.
inline u32 find_array(const Machine& machine, u64 address)
{
    const auto& arrays = machine.arrays;
    const auto above = std::upper_bound(
        arrays.begin(), arrays.end(), address, [](u64 at, const Array& array) { return at < array.begin; });
    return above == arrays.begin() ? 0 : u32(above - arrays.begin() - 1);
}

inline void locate_global(Warp& warp, const Instruction& i, Lanes active, u32 bytes, Purpose purpose, Places& places)
{
    const Machine& machine = *warp.machine;
    if (machine.arrays.empty()) fail("a global %s, and there is no array", PURPOSES[purpose]);
    const Array& last = machine.arrays[i.array];
    if (!all_within(places.address, active, bytes, last.begin, last.end)) {
        for (Lanes left = active; left; left &= left - 1) {  // lanes may be in several arrays
            const int lane = __builtin_ctz(left);
            i.array = find_array(machine, places.address[lane]);
            const Array& array = machine.arrays[i.array];
            if (!all_within(places.address, 1u << lane, bytes, array.begin, array.end)) {
                fail_at(places.address, 1u << lane, bytes, array.begin, array.end, GLOBAL, purpose);
            }
        }
    }
    EACH_LANE places.host[lane] = reinterpret_cast<u8*>(places.address[lane]);
}

// Find and check what an instruction accesses: `bytes` of each active lane.
inline void locate(Warp& warp, const Instruction& i, Lanes active, u32 bytes, Purpose purpose, Places& places)
{
    u64* const address = places.address;
    places.space = Space(i.space);
    if (i.space == GENERIC) {
        places.space = Space(address[__builtin_ctz(active)] >> SPACE_SHIFT);
        for (Lanes left = active; left; left &= left - 1) {
            if (address[__builtin_ctz(left)] >> SPACE_SHIFT != places.space) fail("generic addresses of two spaces");
        }
        if (places.space > PARAMETER) fail("a generic address of no space");
        EACH_LANE address[lane] &= (u64(1) << SPACE_SHIFT) - 1;
    }
    if (places.space == GLOBAL) return locate_global(warp, i, active, bytes, purpose, places);
    Machine& machine = *warp.machine;
    const u64 end = places.space == SHARED ? machine.shared
        : places.space == LOCAL            ? machine.local
                                           : machine.parameters.size();
    if (!all_within(address, active, bytes, 0, end)) fail_at(address, active, bytes, 0, end, places.space, purpose);
    if (places.space == PARAMETER && purpose != READ) fail("a write to parameters");
    u8* const base = places.space == SHARED ? warp.block->shared.data()
        : places.space == LOCAL             ? warp.local
                                            : machine.parameters.data();
    const u64 step = places.space == LOCAL ? machine.local : 0;
    EACH_LANE places.host[lane] = base + lane * step + address[lane];
}

// Whether two accesses are a race: of different threads, with no barrier between them, not both strong.
inline bool races(const Warp& warp, const Access& before, const Access& now)
{
    if (before.thread == NONE || before.thread == now.thread || (before.strong && now.strong)) return false;
    const u32 threads = warp.machine->threads;
    if (before.thread / threads != now.thread / threads) return true;
    if (before.block_barriers != now.block_barriers) return false;
    const bool same_warp = before.thread % threads / WARP == now.thread % threads / WARP;
    return !same_warp || before.warp_barriers == now.warp_barriers;
}

// Note who uses a byte, and report a race with its earlier uses. Of the reads since a write two are kept.
inline void note_use(Warp& warp, Uses& uses, int lane, Purpose purpose, bool strong, bool shared)
{
    const Access now{warp.thread(lane), warp.block->barriers, warp.barriers, warp.at, strong};
    if (races(warp, uses.write, now)) {
        const char* text = purpose == READ ? (shared ? "race: shared read after write" : "race: global read after write")
            : shared                       ? "race: shared write after write"
                                           : "race: global write after write";
        report(warp, text, uses.write.at);
    }
    if (purpose == READ) {
        // Reads do not race, but those that no barrier orders have to be kept apart.
        const u32 threads = warp.machine->threads;
        const bool same_block = uses.read.thread / threads == now.thread / threads;
        const bool in_order = uses.read.thread == NONE || uses.read.thread == now.thread ||
            (same_block && uses.read.block_barriers != now.block_barriers);
        (in_order ? uses.read : uses.other_read) = now;
        return;
    }
    for (const Access* read : {&uses.read, &uses.other_read}) {
        if (!races(warp, *read, now)) continue;
        report(warp, shared ? "race: shared write after read" : "race: global write after read", read->at);
    }
    uses.write = now;
}

inline void check_initialized(Warp& warp, u8* initialized, u32 bytes, Purpose purpose, Space space)
{
    if (purpose != WRITE && std::find(initialized, initialized + bytes, 0) != initialized + bytes) {
        report(
            warp, space == GLOBAL ? "an uninitialized global read" : space == SHARED ? "an uninitialized shared read"
                                                                                     : "an uninitialized local read");
    }
    if (purpose != READ) std::memset(initialized, 1, bytes);
}

// What the launch's checks say of an access.
inline void check(Warp& warp, const Instruction& i, Lanes active, u32 bytes, Purpose purpose, const Places& places)
{
    Machine& machine = *warp.machine;
    if (places.space == PARAMETER) return;
    for (Lanes left = active; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const u64 at = places.address[lane];
        if (machine.checks & INITIALIZED) {
            u8* initialized = nullptr;
            if (places.space == GLOBAL) {
                const Array& array = machine.arrays[find_array(machine, at)];
                if (array.initialized) initialized = array.initialized + (at - array.begin);
            } else if (places.space == SHARED) {
                initialized = warp.block->shared_initialized.data() + at;
            } else {
                initialized = warp.local_initialized + u64(lane) * machine.local + at;
            }
            if (initialized) check_initialized(warp, initialized, bytes, purpose, places.space);
        }
        if (places.space == LOCAL) continue;
        for (u64 byte = at; byte < at + bytes; ++byte) {
            if (machine.checks & RACES) {
                Uses& uses = places.space == SHARED ? warp.block->uses[byte] : machine.page_of(byte).uses[byte % PAGE];
                const bool strong = purpose == ATOMIC || i.option & STRONG;
                note_use(warp, uses, lane, purpose, strong, places.space == SHARED);
            }
            if (machine.checks & READ_ONLY && places.space == GLOBAL && (purpose != READ || i.option & NON_COHERENT)) {
                u8& how = machine.page_of(byte).constant[byte % PAGE];
                how |= purpose == READ ? 1 : 2;
                if (how == 3) report(warp, "a write to memory that the launch reads as read-only");
            }
        }
    }
}

// Count how often a multiprocessor's memory is busy: words of the bank that most are wanted of, or sectors.
inline void count_transactions(const Instruction& i, Lanes active, u32 bytes, const Places& places)
{
    if (places.space != SHARED && places.space != GLOBAL) return;
    const u64 unit = places.space == SHARED ? 4 : 32;
    std::vector<u64> wanted;
    for (Lanes left = active; left; left &= left - 1) {
        const u64 at = places.address[__builtin_ctz(left)];
        for (u64 x = at / unit; x <= (at + bytes - 1) / unit; ++x) wanted.push_back(x);
    }
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    ++i.accesses;
    if (places.space == GLOBAL) {
        i.transactions += wanted.size();
        return;
    }
    u32 of_bank[32] = {}, most = 0;
    for (const u64 word : wanted) most = std::max(most, ++of_bank[word % 32]);
    i.transactions += most;
}

inline void access(Warp& warp, const Instruction& i, Lanes active, u32 bytes, Purpose purpose, Places& places)
{
    read_addresses(warp, i, places.address);
    locate(warp, i, active, bytes, purpose, places);
    if (__builtin_expect(warp.machine->checks & TRANSACTIONS, 0)) count_transactions(i, active, bytes, places);
    if (__builtin_expect(warp.machine->checks & ~u32(TRANSACTIONS), 0)) check(warp, i, active, bytes, purpose, places);
}

// Load T for each destination into registers of another type.
template <class T, class Register> void load(Warp& warp, const Instruction& i, Lanes active)
{
    Places places;
    access(warp, i, active, u32(sizeof(T)) * i.num_written, READ, places);
    for (u32 part = 0; part < i.num_written; ++part) {
        if (i.written[part] == NONE) continue;
        Register* to = warp.reg<Register>(i.written[part]);
        for (Lanes left = active; left; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            T value;
            std::memcpy(&value, places.host[lane] + part * sizeof value, sizeof value);
            to[lane] = Register(value);
        }
    }
}

template <class T, class Register> void store(Warp& warp, const Instruction& i, Lanes active)
{
    Places places;
    const u32 parts = i.num_read - 1;
    access(warp, i, active, u32(sizeof(T)) * parts, WRITE, places);
    for (Lanes left = active; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        for (u32 part = 0; part < parts; ++part) {
            const T value = T(warp.reg<Register>(i.read[1 + part])[lane]);
            std::memcpy(places.host[lane] + part * sizeof value, &value, sizeof value);
        }
    }
}

#define ATOMIC(Name, result)                                                                  \
    struct Name {                                                                             \
        template <class T> static T f(T before, T a, [[maybe_unused]] T b) { return result; } \
    };

ATOMIC(AtomicAdd, before + a)
ATOMIC(AtomicAnd, before& a)
ATOMIC(AtomicOr, before | a)
ATOMIC(AtomicXor, before ^ a)
ATOMIC(AtomicMin, std::min(before, a))
ATOMIC(AtomicMax, std::max(before, a))
ATOMIC(AtomicExchange, (void(before), a))
ATOMIC(AtomicCompareAndSwap, before == a ? b : before)

// Lanes take turns, in an order that is drawn if there is a seed.
template <class T, class F> void atomic(Warp& warp, const Instruction& i, Lanes active)
{
    Places places;
    access(warp, i, active, sizeof(T), ATOMIC, places);
    const u32 first = warp.machine->seed ? warp.machine->draw(WARP) : 0;
    for (u32 turn = 0; turn < WARP; ++turn) {
        const u32 lane = (first + turn) % WARP;
        if (!(active >> lane & 1)) continue;
        T before;
        std::memcpy(&before, places.host[lane], sizeof before);
        const T b = i.num_read > 2 ? warp.reg<T>(i.read[2])[lane] : T();
        const T after = F::f(before, warp.reg<T>(i.read[1])[lane], b);
        std::memcpy(places.host[lane], &after, sizeof after);
        if (i.written[0] != NONE) warp.reg<T>(i.written[0])[lane] = before;
    }
}

}  // namespace ptx
