// Runs the blocks of a launch: warps in turn or in a drawn order, lanes of a warp together where they can.
//
// Lanes that are at one instruction run as a group. Of several groups that with the lowest instruction goes on
// until it meets another, so that lanes come together again as early as they can; with a seed groups go on in
// a drawn order for a drawn number of instructions, as lanes may on a device ("independent thread scheduling").

#include <string>
#include <unordered_map>

#include "operations.h"

namespace ptx {

constexpr u64 WARP_SHARE = 1 << 20;  // instructions that a warp runs before others of its block do
constexpr u64 GROUP_SHARE = 100000;  // and lanes at one place before the others of their warp: they may wait for these

static const Table& operations()
{
    static const Table table = list_operations();
    return table;
}

// Let groups at one instruction go on together.
static void join_groups(Warp& warp)
{
    Group* const groups = warp.groups;
    for (int x = 0; x < warp.num_groups; ++x) {
        for (int y = x + 1; y < warp.num_groups;) {
            const bool both_wait = (groups[x].state == WAITS_FOR_BLOCK) == (groups[y].state == WAITS_FOR_BLOCK);
            if (groups[x].at != groups[y].at || !both_wait) {
                ++y;
                continue;
            }
            groups[x].lanes |= groups[y].lanes;
            if (groups[x].state == WAITS_FOR_WARP) groups[x].state = READY;  // more have come
            groups[y] = groups[--warp.num_groups];
        }
    }
}

// The group that goes on, another than one which has had its share if there is one; null if none can. Sets how
// many groups can.
static Group* choose_group(Warp& warp, const Group* served, u32& ready)
{
    Group* lowest = nullptr;
    ready = 0;
    for (int x = 0; x < warp.num_groups; ++x) {
        Group& group = warp.groups[x];
        if (group.state != READY) continue;
        ++ready;
        if (!lowest || lowest == served || (group.at < lowest->at && &group != served)) lowest = &group;
    }
    if (!warp.machine->seed || ready < 2) return lowest;
    u32 chosen = warp.machine->draw(ready);
    for (int x = 0; x < warp.num_groups; ++x) {
        if (warp.groups[x].state == READY && chosen-- == 0) return &warp.groups[x];
    }
    return lowest;
}

// Fail if a warp that cannot go on is not waiting for its block as a whole.
static void check_waiting(Warp& warp)
{
    for (int x = 0; x < warp.num_groups; ++x) {
        const Group& group = warp.groups[x];
        warp.at = group.at;
        if (group.state == WAITS_FOR_WARP) {
            fail("deadlock: lanes %08x wait for others of their warp; %08x have not exited", group.lanes, warp.live);
        }
        if (x) {
            fail(
                "divergent barrier: lanes %08x of a warp wait here, lanes %08x elsewhere", group.lanes,
                warp.groups[0].lanes);
        }
    }
}

static void add_group(Warp& warp, u32 at, Lanes lanes) { warp.groups[warp.num_groups++] = {at, lanes, READY}; }

static void check_registers(Warp& warp, const Instruction& i, Lanes active)
{
    for (u32 k = 0; k < i.num_read; ++k) {
        if (i.read[k] != NONE && active & ~warp.initialized[i.read[k] / 4]) report(warp, "a read of an uninitialized register", k);
    }
    for (u32 k = 0; k < i.num_written; ++k) {
        if (i.written[k] != NONE) warp.initialized[i.written[k] / 4] |= active;
    }
}

// Whether all members of a warp operation have arrived; fails if a lane is no member.
static bool all_have_arrived(Warp& warp, const Instruction& i, Lanes active)
{
    const Lanes* named = warp.reg<Lanes>(i.read[i.num_read - 1]);
    const Lanes members = named[__builtin_ctz(active)];
    for (Lanes left = active; left; left &= left - 1) {
        if (named[__builtin_ctz(left)] != members) fail("lanes of one group name different members of their warp");
    }
    if (active & ~members) fail("lanes %08x in an operation of the members %08x", active, members);
    if (members & ~warp.live) report(warp, "a warp operation names lanes that have exited");
    return !(members & warp.live & ~active);
}

static void branch_by_index(Warp& warp, const Instruction& i, Group& group, Lanes active)
{
    const u32* index = warp.reg<u32>(i.read[0]);
    group = {group.at + 1, group.lanes & ~active, READY};
    bool kept = group.lanes != 0;
    while (active) {
        const u32 chosen = index[__builtin_ctz(active)];
        Lanes same = 0;
        for (Lanes left = active; left; left &= left - 1) {
            if (index[__builtin_ctz(left)] == chosen) same |= left & -left;
        }
        if (chosen >= i.targets.size()) fail("an indexed branch past its %zu targets", i.targets.size());
        if (kept) {
            add_group(warp, i.targets[chosen], same);
        } else {
            group = {i.targets[chosen], same, READY};
        }
        kept = true;
        active &= ~same;
    }
}

static void end_lanes(Warp& warp, Group& group, Lanes active)
{
    warp.live &= ~active;
    group.lanes &= ~active;
    ++group.at;
    for (int x = 0; x < warp.num_groups; ++x) {  // which wait for fewer now
        if (warp.groups[x].state == WAITS_FOR_WARP) warp.groups[x].state = READY;
    }
    if (!group.lanes) group = warp.groups[--warp.num_groups];
}

// Where a group meets another one, if it goes straight on.
static u32 next_group(const Warp& warp, const Group& group)
{
    u32 next = NONE;
    for (int x = 0; x < warp.num_groups; ++x) {
        const u32 at = warp.groups[x].at;
        if (&warp.groups[x] != &group && at >= group.at) next = std::min(next, at);
    }
    return next;
}

// Run a group until it parts, waits, ends, meets another or, which gives true, has had its share.
static bool advance(Warp& warp, Group& group, u64& share, u64 group_share)
{
    Instruction* const code = warp.machine->code.data();
    const bool checks_registers = warp.machine->checks & INITIALIZED;
    u32 next = next_group(warp, group);
    while (share && group_share--) {
        --share;
        Instruction& i = code[group.at];
        warp.at = group.at;
        Lanes active = group.lanes;
        if (i.guard != NONE) {
            if (checks_registers && active & ~warp.initialized[i.guard / 4]) report(warp, "a guard that is uninitialized");
            active &= warp.predicate(i.guard) ^ (i.negated ? ALL : 0);
        }
        ++i.warps;
        i.lanes += u64(__builtin_popcount(active));
        if (i.kind == ORDINARY || !active) {
            if (active) {
                if (checks_registers) check_registers(warp, i, active);
                i.run(warp, i, active);
            }
            if (++group.at == next) return false;
            continue;
        }
        if (i.kind == BRANCH && active == group.lanes) {
            const bool back = i.target <= group.at;
            group.at = i.target;
            if (warp.num_groups == 1) continue;
            next = next_group(warp, group);
            if (!back || next == group.at) return false;  // those that it has passed by go first
            continue;
        }
        if (i.kind == END && active != group.lanes) {
            end_lanes(warp, group, active);
            return false;
        }
        if (active != group.lanes && i.kind != INDEXED_BRANCH) {  // lanes part: those that the guard leaves out go on
            group.at += 1;
            group.lanes &= ~active;
            if (i.kind != BRANCH) --i.warps, i.lanes -= u64(__builtin_popcount(active));  // which comes again
            add_group(warp, i.kind == BRANCH ? i.target : warp.at, active);
            return false;
        }
        switch (i.kind) {
            case INDEXED_BRANCH: branch_by_index(warp, i, group, active); return false;
            case END: end_lanes(warp, group, active); return false;
            case BLOCK_BARRIER: group.state = WAITS_FOR_BLOCK; return false;
            default: break;
        }
        if (!all_have_arrived(warp, i, active)) {
            --i.warps, i.lanes -= u64(__builtin_popcount(active));
            group.state = WAITS_FOR_WARP;
            return false;
        }
        if (checks_registers) check_registers(warp, i, active);
        i.run(warp, i, active);
        if (++group.at == next) return false;
    }
    return true;
}

// Run a warp until it waits for its block, ends or has had its share.
static void run_warp(Warp& warp, u64 share)
{
    const Group* served = nullptr;
    while (share) {
        join_groups(warp);
        u32 ready;
        Group* const group = choose_group(warp, served, ready);
        if (!group) return check_waiting(warp);
        const u64 most = ready < 2 ? share : warp.machine->seed ? 1 + warp.machine->draw(40)
                                                                : GROUP_SHARE;
        served = advance(warp, *group, share, most) ? group : nullptr;
    }
}

static u32 num_warps(const Machine& machine) { return (machine.threads + WARP - 1) / WARP; }

static Lanes lanes_of(const Machine& machine, u32 warp)
{
    const u32 here = machine.threads - warp * WARP;
    return here >= WARP ? ALL : (1u << here) - 1;
}

// Registers of a warp that do not change from block to block.
static void set_constants(Machine& machine, Warp& warp)
{
    std::memcpy(warp.registers, machine.image.data(), machine.image.size());
    const auto set = [&](Special special, auto value) {
        if (machine.special[special] == NONE) return;
        for (u32 lane = 0; lane < WARP; ++lane) warp.reg<u32>(machine.special[special])[lane] = value(lane);
    };
    set(TID, [&](u32 lane) { return warp.number * WARP + lane; });
    set(NTID, [&](u32) { return machine.threads; });
    set(NCTAID, [&](u32) { return machine.grid; });
    set(LANE_ID, [](u32 lane) { return lane; });
    set(WARP_ID, [&](u32) { return warp.number; });
    set(LANES_BELOW, [](u32 lane) { return (1u << lane) - 1; });
    set(LANES_TO, [](u32 lane) { return (2u << lane) - 1; });
    set(LANES_ABOVE, [](u32 lane) { return ~((2u << lane) - 1); });
    set(LANES_FROM, [](u32 lane) { return ~((1u << lane) - 1); });
    set(OWN_LANE, [](u32 lane) { return 1u << lane; });
}

// Make room for a block, once for all that run in it one after another.
static void prepare(Machine& machine, Block& block)
{
    const u64 warps = num_warps(machine), registers = machine.image.size(), local = u64(WARP) * machine.local;
    const bool initialized = machine.checks & INITIALIZED;
    block.registers.resize(warps * registers + 64);
    block.local.resize(warps * local);
    block.local_initialized.resize(initialized ? warps * local : 0);
    block.initialized.resize(initialized ? warps * registers / 4 : 0);
    block.warps.resize(warps);
    u8* const first = block.registers.data() + (-reinterpret_cast<u64>(block.registers.data()) & 63);
    for (u32 k = 0; k < warps; ++k) {
        Warp& warp = block.warps[k];
        warp.machine = &machine;
        warp.block = &block;
        warp.number = k;
        warp.registers = first + k * registers;
        warp.local = block.local.data() + k * local;
        warp.local_initialized = block.local_initialized.data() + k * local;
        warp.initialized = block.initialized.data() + k * registers / 4;
        set_constants(machine, warp);
    }
}

static void begin(Machine& machine, Block& block, u32 number)
{
    block.number = number;
    block.barriers = 0;
    block.active = true;
    block.shared.assign(machine.shared, RUBBISH);
    std::fill(block.local.begin(), block.local.end(), RUBBISH);
    if (machine.checks & INITIALIZED) {
        block.shared_initialized.assign(machine.shared, 0);
        std::fill(block.local_initialized.begin(), block.local_initialized.end(), 0);
    }
    if (machine.checks & RACES) block.uses.assign(machine.shared, Uses());
    for (Warp& warp : block.warps) {
        warp.live = lanes_of(machine, warp.number);
        warp.num_groups = 1;
        warp.groups[0] = {0, warp.live, READY};
        warp.barriers = 0;
        if (machine.special[CTAID] != NONE) std::fill_n(warp.reg<u32>(machine.special[CTAID]), WARP, number);
        if (machine.checks & INITIALIZED) {
            std::memcpy(warp.initialized, machine.image_initialized.data(), machine.image_initialized.size() * sizeof(Lanes));
        }
    }
}

// Let a block whose warps all wait for it, or have ended, go on; false if it has ended.
static bool pass_barrier(Block& block, const Machine& machine, Warp*& current)
{
    bool waits = false, apart = false, ended = false;
    u32 at = NONE;
    for (Warp& warp : block.warps) {
        ended |= warp.live != lanes_of(machine, warp.number);
        if (!warp.num_groups) continue;
        apart |= waits && warp.groups[0].at != at;
        waits = true;
        at = warp.groups[0].at;
        current = &warp;
    }
    if (!waits) return false;
    current->at = at;
    if (ended) report(*current, "a barrier of the block after some of its threads have exited");
    if (apart) report(*current, "warps of a block wait at different barriers");
    ++block.barriers;
    for (Warp& warp : block.warps) {
        for (int x = 0; x < warp.num_groups; ++x) {
            warp.groups[x].state = READY;
            ++warp.groups[x].at;
        }
    }
    return true;
}

static void run_block(Block& block, Machine& machine, Warp*& current)
{
    std::vector<Warp*> ready;
    for (Warp& warp : block.warps) {
        const auto is_ready = [](const Group& group) { return group.state == READY; };
        if (std::any_of(warp.groups, warp.groups + warp.num_groups, is_ready)) ready.push_back(&warp);
    }
    if (ready.empty()) {
        block.active = pass_barrier(block, machine, current);
    } else if (machine.seed) {
        current = ready[machine.draw(u32(ready.size()))];
        run_warp(*current, 1 + machine.draw(2000));
    } else {
        for (Warp* warp : ready) run_warp(*(current = warp), WARP_SHARE);
    }
}

static void run_grid(Machine& machine, u32 at_once, Warp*& current)
{
    std::vector<Block>& blocks = machine.blocks;
    blocks = std::vector<Block>(std::min(at_once, machine.grid));
    u32 begun = 0;
    for (Block& block : blocks) {
        prepare(machine, block);
        begin(machine, block, begun++);
    }
    for (u32 ended = 0; ended < machine.grid;) {
        for (Block& block : blocks) {
            if (!block.active) continue;
            run_block(block, machine, current);
            if (block.active) continue;
            ++ended;
            if (begun < machine.grid) begin(machine, block, begun++);
        }
    }
}

}  // namespace ptx

using namespace ptx;

// What machine.py calls.
extern "C" {

int ptx_operation(const char* name)
{
    static const auto places = [] {
        std::unordered_map<std::string, int> found;
        for (const Named& operation : operations()) found.emplace(operation.name, int(found.size()));
        return found;
    }();
    const auto place = places.find(name);
    return place == places.end() ? -1 : place->second;
}

Machine* ptx_machine(
    const Given* given, u32 instructions, const u32* targets, const u8* image, const Lanes* image_initialized,
    u32 register_bytes, const u32* special, u32 shared, u32 local)
{
    auto* machine = new Machine;
    for (u32 k = 0; k < instructions; ++k) {
        Instruction i;
        static_cast<Given&>(i) = given[k];
        if (i.operation >= 0) i.run = operations()[u32(i.operation)].run;
        i.targets.assign(targets + i.first_target, targets + i.first_target + i.num_targets);
        machine->code.push_back(i);
    }
    machine->image.assign(image, image + register_bytes);
    machine->image_initialized.assign(image_initialized, image_initialized + register_bytes / 4);
    std::copy_n(special, SPECIALS, machine->special);
    machine->static_shared = shared;
    machine->local = local;
    return machine;
}

// Run a launch. Return -1, or the instruction that failed, with the reason in `text`, the block and the warp.
int ptx_launch(
    Machine* machine, u32 grid, u32 threads, u32 dynamic_shared, const u8* parameters, u32 parameter_bytes,
    const Array* arrays, u32 num_arrays, u64 seed, u32 at_once, u32 checks, char* text, u32 room, u32* where)
{
    machine->grid = grid;
    machine->threads = threads;
    machine->shared = machine->static_shared + dynamic_shared;
    machine->parameters.assign(parameters, parameters + parameter_bytes);
    machine->arrays.assign(arrays, arrays + num_arrays);
    machine->seed = seed;
    machine->random_state = seed;
    machine->checks = checks;
    machine->pages.clear();
    machine->page_begin = 1;  // of none
    machine->findings.clear();
    for (Instruction& i : machine->code) i.array = 0;
    machine->draw();
    Warp* current = nullptr;
    int failed = -1;
    try {
        run_grid(*machine, at_once, current);
    } catch (const Fault& fault) {
        snprintf(text, room, "%s", fault.text);
        where[0] = current ? current->block->number : 0;
        where[1] = current ? current->number : 0;
        failed = int(current ? current->at : 0);
    }
    machine->blocks.clear();
    machine->pages.clear();
    return failed;
}

// What the last launch found, a line each: the instruction, another one or -1, how often, the text.
void ptx_findings(const Machine* machine, char* text, u32 room)
{
    std::string lines;
    for (const auto& [key, times] : machine->findings) {
        const auto& [what, at, other] = key;
        lines += std::to_string(at) + " " + std::to_string(int(other)) + " " + std::to_string(times) + " " + what + "\n";
    }
    snprintf(text, room, "%s", lines.c_str());
}

// Of each instruction: warps and lanes that executed it, accesses to memory and their transactions.
void ptx_counts(const Machine* machine, u64* counts)
{
    for (const Instruction& i : machine->code) {
        *counts++ = i.warps;
        *counts++ = i.lanes;
        *counts++ = i.accesses;
        *counts++ = i.transactions;
    }
}

void ptx_clear(Machine* machine)
{
    for (Instruction& i : machine->code) i.warps = i.lanes = i.accesses = i.transactions = 0;
}

// Leave an instruction out, or put it back: tests do so with barriers.
void ptx_leave_out(Machine* machine, u32 at, int left_out)
{
    Instruction& i = machine->code[at];
    static const Operation none = nothing;
    static std::unordered_map<const Instruction*, std::pair<u32, Operation>> kept;
    if (left_out) {
        kept[&i] = {i.kind, i.run};
        i.kind = ORDINARY;
        i.run = none;
    } else {
        i.kind = kept.at(&i).first;
        i.run = kept.at(&i).second;
    }
}
}
