// Compiles a kernel with g++ and runs its threads one after another on the CPU.
//
// Include this, then the .cu file, then write EXPORT_KERNEL(name) for each kernel: the library then
// holds a pointer host_name to a C function that takes the grid's blocks, the threads of a block and
// the kernel's own arguments. A kernel with barriers cannot run this way, its phases can.

#pragma once

#define __global__
#define __device__
#define __host__

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
};

static dim3 gridDim, blockDim, blockIdx, threadIdx;

template <auto kernel> struct HostKernel;

template <class... Arguments, void (*kernel)(Arguments...)> struct HostKernel<kernel> {
    static void launch(unsigned blocks, unsigned threads, Arguments... arguments)
    {
        gridDim.x = blocks;
        blockDim.x = threads;
        for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
            for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) kernel(arguments...);
        }
    }
};

#define EXPORT_KERNEL(name) \
    extern "C" {            \
    auto* host_##name = &HostKernel<name>::launch; \
    }
