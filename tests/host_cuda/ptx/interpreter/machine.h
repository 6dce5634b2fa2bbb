// What runs: instructions, warps of 32 lanes, blocks, and the machine that holds them.
//
// A register is an array with a number for each lane; a predicate is a bit for each lane. Both are named by
// their offset in a warp's registers, in bytes. Constants are registers that nothing writes.

#pragma once

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ptx {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using f64 = double;
using Lanes = u32;  // bit l for lane l

constexpr int WARP = 32;
constexpr u32 NONE = ~0u;
constexpr Lanes ALL = ~0u;
constexpr u8 RUBBISH = 0xA5;  // what memory and registers hold before they are written

// Lanes do not depend on one another: a register is written where it is read, or elsewhere, never in part.
#define EACH_LANE _Pragma("GCC ivdep") for (int lane = 0; lane < WARP; ++lane)

// Generic addresses: the space in the top byte; those of global memory are the host's.
enum Space : u32 {
    GLOBAL,
    SHARED,
    LOCAL,
    PARAMETER,
    GENERIC
};
constexpr int SPACE_SHIFT = 56;

enum Kind : u32 {
    ORDINARY,
    BRANCH,
    INDEXED_BRANCH,
    END,
    BLOCK_BARRIER,
    TOGETHER  // members of a warp do it at once; its last source says which
};

enum Check : u32 {
    INITIALIZED = 1,       // registers and memory are written before they are read
    RACES = 2,         // of two threads without a barrier between them
    READ_ONLY = 4,     // what a launch reads as constant (ld.global.nc) it does not write
    TRANSACTIONS = 8,  // counts words of a bank and sectors; finds nothing
};

struct Warp;
struct Instruction;
using Operation = void (*)(Warp&, const Instruction&, Lanes active);

constexpr int MAX_WRITTEN = 8, MAX_READ = 12;

// An instruction as Python packs it (machine.py).
struct Given {
    s64 number;     // an immediate: a displacement, the table of lop3
    s32 operation;  // its place in the table of operations; -1 for kinds that have none
    u32 kind, space, option, target, narrow;
    u32 guard, negated;
    u32 num_written, num_read;
    u32 written[MAX_WRITTEN], read[MAX_READ];
    u32 first_target, num_targets;  // of an indexed branch, in the list of all targets
};

struct Instruction : Given {
    Operation run = nullptr;
    std::vector<u32> targets;
    u64 warps = 0, lanes = 0;                        // how many have executed it
    mutable u64 accesses = 0, transactions = 0;      // counted by TRANSACTIONS
    mutable u32 array = 0;                           // the array it reached last
};

// An array in global memory; `initialized` has a byte for each of its own, or is null.
struct Array {
    u64 begin, end;
    u8* initialized;
};

// Threads that used a byte last. An access is ordered after another by a barrier between them.
struct Access {
    u32 thread = NONE, block_barriers = 0, warp_barriers = 0, at = 0;
    bool strong = false;
};
struct Uses {
    Access write, read, other_read;
};

struct Fault {
    char text[400];
};

[[noreturn]] __attribute__((format(printf, 1, 2))) inline void fail(const char* format, ...)
{
    Fault fault;
    va_list values;
    va_start(values, format);
    vsnprintf(fault.text, sizeof fault.text, format, values);
    va_end(values);
    throw fault;
}

// The uses of some bytes of global memory, and of each: 1: read as constant, 2: written.
constexpr u64 PAGE = 4096;
struct Page {
    Uses uses[PAGE];
    u8 constant[PAGE] = {};
};

enum State {
    READY,
    WAITS_FOR_WARP,
    WAITS_FOR_BLOCK
};

// Lanes of a warp that are at one instruction.
struct Group {
    u32 at;
    Lanes lanes;
    State state;
};

struct Machine;
struct Block;

struct Warp {
    Machine* machine;
    Block* block;
    u32 number;
    u8* registers;
    u8* local;              // a part for each lane
    u8* local_initialized;
    Lanes* initialized;         // of each four bytes of the registers: lanes that have written them
    Lanes live, carry = 0;
    Group groups[WARP];
    int num_groups;
    u32 at = 0;             // the instruction that runs
    u32 barriers = 0;       // of the warp, so far

    template <class T> T* reg(u32 offset) { return reinterpret_cast<T*>(registers + offset); }
    Lanes& predicate(u32 offset) { return *reinterpret_cast<Lanes*>(registers + offset); }
    void set_predicate(u32 offset, Lanes value, Lanes active)
    {
        Lanes& kept = predicate(offset);
        kept = (kept & ~active) | (value & active);
    }
    u32 thread(int lane) const;
};

struct Block {
    u32 number = 0, barriers = 0;
    bool active = false;
    std::vector<u8> shared, shared_initialized, registers, local, local_initialized;
    std::vector<Uses> uses;
    std::vector<Lanes> initialized;
    std::vector<Warp> warps;
};

enum Special {
    TID,
    NTID,
    CTAID,
    NCTAID,
    LANE_ID,
    WARP_ID,
    LANES_BELOW,
    LANES_TO,
    LANES_ABOVE,
    LANES_FROM,
    OWN_LANE,
    SPECIALS
};

struct Machine {
    std::vector<Instruction> code;
    std::vector<u8> image;           // a warp's registers: the constants
    std::vector<Lanes> image_initialized;
    u32 special[SPECIALS];
    u32 static_shared, local;        // bytes

    std::vector<Array> arrays;
    std::vector<u8> parameters;
    u32 shared, grid, threads, checks;
    u64 seed;                        // of the order of warps and lanes; 0: in turn
    u64 random_state;
    std::vector<Block> blocks;       // that run
    std::unordered_map<u64, std::unique_ptr<Page>> pages;  // by the address of their first byte
    Page* page = nullptr;                                  // used last
    u64 page_begin = 1;                                    // of none
    std::map<std::tuple<const char*, u32, u32>, u64> findings;  // text, instruction, another one

    // The page that holds a byte of global memory.
    Page& page_of(u64 address)
    {
        const u64 begin = address & ~(PAGE - 1);
        if (begin != page_begin) {
            std::unique_ptr<Page>& found = pages[begin];
            if (!found) found = std::make_unique<Page>();
            page = found.get();
            page_begin = begin;
        }
        return *page;
    }

    u32 draw()
    {
        random_state = random_state * 6364136223846793005u + 1442695040888963407u;
        return u32(random_state >> 33);
    }
    u32 draw(u32 below) { return draw() % below; }
};

inline u32 Warp::thread(int lane) const { return block->number * machine->threads + number * WARP + u32(lane); }

inline void report(const Warp& warp, const char* text, u32 other = NONE)
{
    ++warp.machine->findings[{text, warp.at, other}];
}

}  // namespace ptx
