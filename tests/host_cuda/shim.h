// Compiles a kernel with g++ and runs its blocks one after another on the CPU.
//
// Include this, then the .cu file, then write EXPORT_KERNEL(name) for each kernel. The library then
// holds host_name, a C function that takes the grid's blocks, the threads of a block, a seed for the
// order of the threads and the kernel's own arguments, and signature_name, the types of those.
//
// The threads of a block are coroutines: each runs until it ends or comes to a barrier, and none goes
// past a barrier before all have come to it. Between barriers they run in an order drawn from the seed
// (0: first to last), so a kernel whose result depends on that order gives itself away. A thread that
// ends while others wait at a barrier makes host_name return 1.

#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <type_traits>
#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <ucontext.h>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static  // one block at a time

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
};

static dim3 gridDim, blockDim, blockIdx, threadIdx;

namespace host {

constexpr std::size_t STACK = 256 * 1024;

struct Thread {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[STACK]};
    bool ended = false;
};

inline ucontext_t scheduler;
inline std::vector<Thread> threads;
inline unsigned running;
inline void (*body)();

inline void enter()
{
    body();
    threads[running].ended = true;
    swapcontext(&threads[running].context, &scheduler);
}

// Run one block; false if its threads part at a barrier.
inline bool run_block(std::minstd_rand* shuffle)
{
    const unsigned count = blockDim.x;
    if (threads.size() < count) threads = std::vector<Thread>(count);
    for (unsigned i = 0; i < count; ++i) {
        Thread& thread = threads[i];
        thread.ended = false;
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = thread.stack.get();
        thread.context.uc_stack.ss_size = STACK;
        thread.context.uc_link = nullptr;
        makecontext(&thread.context, enter, 0);
    }
    std::vector<unsigned> order(count);
    std::iota(order.begin(), order.end(), 0u);
    for (unsigned ended = 0; ended == 0;) {
        if (shuffle) std::shuffle(order.begin(), order.end(), *shuffle);
        for (unsigned i : order) {
            running = i;
            threadIdx.x = i;
            swapcontext(&scheduler, &threads[i].context);
            ended += threads[i].ended;
        }
        if (ended != 0) return ended == count;
    }
    return true;
}

template <class T> std::string type_code()
{
    if constexpr (std::is_pointer_v<T>) {
        return "*" + type_code<std::remove_cv_t<std::remove_pointer_t<T>>>();
    } else {
        const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
        return kind + std::to_string(sizeof(T));
    }
}

template <auto kernel> struct Kernel;

template <class... Arguments, void (*kernel)(Arguments...)> struct Kernel<kernel> {
    static inline std::tuple<Arguments...> arguments;

    static int launch(unsigned blocks, unsigned threads, unsigned seed, Arguments... given)
    {
        arguments = {given...};
        body = [] { std::apply(kernel, arguments); };
        gridDim.x = blocks;
        blockDim.x = threads;
        std::minstd_rand shuffle(seed);
        for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
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

inline void __syncthreads() { swapcontext(&host::threads[host::running].context, &host::scheduler); }
inline void __syncwarp() {}
inline void __threadfence() {}

template <class T, class U> T atomicAdd(T* address, U value)
{
    const T before = *address;
    *address = T(before + value);
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
template <class T> T __ldg(const T* address) { return *address; }

#define EXPORT_KERNEL(name)                                        \
    extern "C" {                                                   \
    auto* host_##name = &host::Kernel<name>::launch;               \
    auto* signature_##name = &host::Kernel<name>::signature;       \
    }
