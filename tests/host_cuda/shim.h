// Compiles a kernel with g++ and runs its blocks one after another on the CPU.
//
// Include this, then the .cu file, then write EXPORT_KERNEL(name) for each kernel. The library then
// holds host_name, a C function that takes the grid's blocks, the threads of a block, a seed for the
// order of the threads and the kernel's own arguments, and signature_name, the types of those.
//
// The threads of a block are coroutines: each runs until it ends or comes to a barrier, of the block or of
// its warp, and none goes past a barrier before all have come to it. Between barriers they run in an order
// drawn from the seed (0: first to last), so a kernel whose result depends on that order gives itself away.
// A thread that ends while others wait at a barrier, or threads that wait at different ones, make host_name
// return 1; so do warp operations in a block whose last warp is not whole.

#pragma once

#undef _FORTIFY_SOURCE  // which takes a jump to another stack for a mistake

#include <algorithm>
#include <csetjmp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <ucontext.h>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
// One block at a time. In a section of its own, whose ends the linker knows; g++ leaves out those of templates.
#define __shared__ __attribute__((section("block_shared"))) static

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
};

static dim3 gridDim, blockDim, blockIdx, threadIdx;

namespace host {

constexpr std::size_t STACK = 256 * 1024;

constexpr unsigned WARP = 32;

alignas(16) inline unsigned char dynamic_memory[227 << 10];  // one block at a time

}  // namespace host

extern "C" __attribute__((weak)) unsigned char __start_block_shared[], __stop_block_shared[];

namespace host {

// Fill shared memory with rubbish, which it holds when a block begins.
inline void spoil_shared_memory()
{
    if (__start_block_shared) {
        std::memset(__start_block_shared, 0xA5, std::size_t(__stop_block_shared - __start_block_shared));
    }
    std::memset(dynamic_memory, 0xA5, sizeof dynamic_memory);
}

enum State {
    READY,
    AT_WARP,
    AT_BLOCK,
    ENDED
};

struct Thread {
    ucontext_t context;  // in which it begins; then it jumps, without the system calls of swapcontext
    std::unique_ptr<char[]> stack{new char[STACK]};
    std::jmp_buf place;
    bool begun = false;
    State state = READY;
    // For the other threads of the warp, by turns: one may post again before all have read.
    unsigned long long posted[2] = {};
    unsigned turn = 0;
};

inline std::jmp_buf scheduler;
inline std::vector<Thread> threads;
inline unsigned running;
inline void (*body)();

inline void enter()
{
    body();
    threads[running].state = ENDED;
    _longjmp(scheduler, 1);
}

// Let a thread run until it ends or waits.
inline void resume(unsigned i)
{
    Thread& thread = threads[i];
    running = i;
    threadIdx.x = i;
    if (_setjmp(scheduler)) return;
    if (thread.begun) _longjmp(thread.place, 1);
    thread.begun = true;
    setcontext(&thread.context);
}

// Stop the running thread until the scheduler lets it go on.
inline void wait_at(State barrier)
{
    Thread& thread = threads[running];
    thread.state = barrier;
    if (!_setjmp(thread.place)) _longjmp(scheduler, 1);
}

// Let the threads of each warp go on that have all come to its barrier; false if there is no such warp.
inline bool release_warps(unsigned count)
{
    bool released = false;
    for (unsigned first = 0; first + WARP <= count; first += WARP) {
        const auto begin = threads.begin() + first;
        if (std::any_of(begin, begin + WARP, [](const Thread& t) { return t.state != AT_WARP; })) continue;
        for (auto thread = begin; thread != begin + WARP; ++thread) thread->state = READY;
        released = true;
    }
    return released;
}

// Random bits for std::shuffle; <random> takes g++ as long as a kernel does.
struct Bits {
    using result_type = std::uint32_t;
    std::uint64_t state;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type(0); }
    result_type operator()()
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return result_type(state >> 32);
    }
};

// Run one block; false if its threads part at a barrier.
inline bool run_block(Bits* shuffle)
{
    const unsigned count = blockDim.x;
    if (threads.size() < count) threads = std::vector<Thread>(count);
    for (unsigned i = 0; i < count; ++i) {
        Thread& thread = threads[i];
        thread.state = READY;
        thread.begun = false;
        thread.turn = 0;
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = thread.stack.get();
        thread.context.uc_stack.ss_size = STACK;
        thread.context.uc_link = nullptr;
        makecontext(&thread.context, enter, 0);
    }
    std::vector<unsigned> order(count);
    std::iota(order.begin(), order.end(), 0u);
    while (true) {
        if (shuffle) std::shuffle(order.begin(), order.end(), *shuffle);
        for (unsigned i : order) {
            if (threads[i].state == READY) resume(i);
        }
        if (release_warps(count)) continue;
        const State state = threads[0].state;
        for (unsigned i = 0; i < count; ++i) {
            if (threads[i].state != state) return false;
        }
        if (state != AT_BLOCK) return state == ENDED;
        for (unsigned i = 0; i < count; ++i) threads[i].state = READY;
    }
}

template <class T> std::string type_code();

template <class... Fields> std::string list_codes(Fields...)
{
    return ((type_code<Fields>() + ",") + ...);
}

// Converts to any field, to find out how many a struct has.
struct Any {
    template <class T> operator T() const;
};

template <class T, class... Fields>
constexpr auto can_be_made_of(int) -> decltype(T{Fields{}...}, true)
{
    return true;
}

template <class, class...> constexpr bool can_be_made_of(long) { return false; }

template <class T, class... Fields> constexpr int count_fields()
{
    if constexpr (can_be_made_of<T, Fields..., Any>(0)) {
        return count_fields<T, Fields..., Any>();
    } else {
        return sizeof...(Fields);
    }
}

// The codes of a struct's fields, in order.
template <class T> std::string struct_code()
{
    T value{};
    constexpr int fields = count_fields<T>();
    static_assert(
        fields == 4 || fields == 5 || fields == 6 || fields == 7 || fields == 8 || fields == 10 ||
            fields == 12,
        "add the number of fields here");
    if constexpr (fields == 4) {
        const auto& [a, b, c, d] = value;
        return list_codes(a, b, c, d);
    } else if constexpr (fields == 5) {
        const auto& [a, b, c, d, e] = value;
        return list_codes(a, b, c, d, e);
    } else if constexpr (fields == 6) {
        const auto& [a, b, c, d, e, f] = value;
        return list_codes(a, b, c, d, e, f);
    } else if constexpr (fields == 7) {
        const auto& [a, b, c, d, e, f, g] = value;
        return list_codes(a, b, c, d, e, f, g);
    } else if constexpr (fields == 8) {
        const auto& [a, b, c, d, e, f, g, h] = value;
        return list_codes(a, b, c, d, e, f, g, h);
    } else if constexpr (fields == 10) {
        const auto& [a, b, c, d, e, f, g, h, i, j] = value;
        return list_codes(a, b, c, d, e, f, g, h, i, j);
    } else {
        const auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
        return list_codes(a, b, c, d, e, f, g, h, i, j, k, l);
    }
}

// A type as NumPy writes it: "i4", "*u8" for a pointer, "{*u8,i4,}" for a struct.
template <class T> std::string type_code()
{
    if constexpr (std::is_class_v<T>) {
        return "{" + struct_code<T>() + "}";
    } else if constexpr (std::is_pointer_v<T>) {
        return "*" + type_code<std::remove_cv_t<std::remove_pointer_t<T>>>();
    } else {
        const char kind = std::is_floating_point_v<T> ? 'f'
            : std::is_signed_v<T>                     ? 'i'
                                                      : 'u';
        return kind + std::to_string(sizeof(T));
    }
}

// A launch gets a struct by its address and passes it on by value.
template <class T> using Given = std::conditional_t<std::is_class_v<T>, const T*, T>;

template <class T> T take(Given<T> given)
{
    if constexpr (std::is_class_v<T>) {
        return *given;
    } else {
        return given;
    }
}

template <auto kernel> struct Kernel;

template <class... Arguments, void (*kernel)(Arguments...)> struct Kernel<kernel> {
    static inline std::tuple<Arguments...> arguments;

    static int launch(unsigned blocks, unsigned threads, unsigned seed, Given<Arguments>... given)
    {
        arguments = {take<Arguments>(given)...};
        body = [] { std::apply(kernel, arguments); };
        gridDim.x = blocks;
        blockDim.x = threads;
        Bits shuffle{seed};
        for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
            spoil_shared_memory();
            if (!run_block(seed ? &shuffle : nullptr)) return 1;
        }
        return 0;
    }

    static const char* signature()
    {
        static const std::string codes = ((type_code<Arguments>() + " ") + ...);
        return codes.c_str();
    }
};

}  // namespace host

inline void __syncthreads() { host::wait_at(host::AT_BLOCK); }
inline void __syncwarp(unsigned = ~0u) { host::wait_at(host::AT_WARP); }
inline void __threadfence() {}

namespace host {

inline unsigned lane() { return running % WARP; }

// Give a value to the other lanes of the running thread's warp, and wait for theirs.
template <class T> void post(T value)
{
    static_assert(sizeof(T) <= sizeof(Thread::posted[0]));
    Thread& own = threads[running];
    own.turn ^= 1;
    std::memcpy(&own.posted[own.turn], &value, sizeof value);
    wait_at(AT_WARP);
}

// What a lane of the warp has posted.
template <class T> T posted_by(unsigned lane)
{
    T given;
    const unsigned long long* posted = threads[running / WARP * WARP + lane].posted;
    std::memcpy(&given, &posted[threads[running].turn], sizeof given);
    return given;
}

// The value that a lane of the running thread's warp gives; its own for a lane outside.
template <class T> T from_lane(T value, unsigned source)
{
    post(value);
    return posted_by<T>(source < WARP ? source : lane());
}

}  // namespace host

template <class T> T __shfl_sync(unsigned, T value, unsigned lane) { return host::from_lane(value, lane); }
template <class T> T __shfl_xor_sync(unsigned, T value, unsigned mask)
{
    return host::from_lane(value, host::lane() ^ mask);
}
template <class T> T __shfl_up_sync(unsigned, T value, unsigned distance)
{
    return host::from_lane(value, host::lane() - distance);  // below lane 0 wraps to no lane
}
template <class T> T __shfl_down_sync(unsigned, T value, unsigned distance)
{
    return host::from_lane(value, host::lane() + distance);
}
inline unsigned __ballot_sync(unsigned, int predicate)
{
    unsigned votes = 0;
    host::post(predicate != 0);
    for (unsigned lane = 0; lane < host::WARP; ++lane) votes |= unsigned(host::posted_by<bool>(lane)) << lane;
    return votes;
}
inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) == ~0u; }

template <class T, class U> T atomicAdd(T* address, U value)
{
    const T before = *address;
    *address = T(before + value);
    return before;
}

template <class T, class U> T atomicOr(T* address, U value)
{
    const T before = *address;
    *address = T(before | value);
    return before;
}

template <class T, class U> T atomicMax(T* address, U value)
{
    const T before = *address;
    *address = std::max(before, T(value));
    return before;
}

template <class T, class U> T atomicMin(T* address, U value)
{
    const T before = *address;
    *address = std::min(before, T(value));
    return before;
}

template <class T, class U, class V> T atomicCAS(T* address, U expected, V value)
{
    const T before = *address;
    if (before == T(expected)) *address = T(value);
    return before;
}

inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __ffsll(long long bits) { return __builtin_ffsll(bits); }
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum)
{
    for (int shift = 0; shift < 32; shift += 8) sum += (a >> shift & 0xFF) * (b >> shift & 0xFF);
    return sum;
}
template <class T> T __ldg(const T* address) { return *address; }

#define EXPORT_KERNEL(name)                                  \
    extern "C" {                                             \
    auto* host_##name = &host::Kernel<name>::launch;         \
    auto* signature_##name = &host::Kernel<name>::signature; \
    }
