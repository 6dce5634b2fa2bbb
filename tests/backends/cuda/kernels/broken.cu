// Kernels that are wrong on purpose, each in one way, beside others that do the same rightly: the interpreter
// has to tell them apart (test_interpreter.py). Blocks of 64 threads.

extern "C" __global__ void race(int* out)
{
    __shared__ int kept[64];
    kept[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = kept[threadIdx.x ^ 33];
}

extern "C" __global__ void race_in_a_warp(int* out)
{
    __shared__ int kept[64];
    kept[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = kept[threadIdx.x ^ 1];
}

extern "C" __global__ void no_race_in_a_warp(int* out)
{
    __shared__ int kept[64];
    kept[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = kept[threadIdx.x ^ 1];
}

extern "C" __global__ void no_race(int* out)
{
    __shared__ int kept[64];
    kept[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = kept[threadIdx.x ^ 33];
}

extern "C" __global__ void race_of_equal_values(int* out)
{
    __shared__ int kept;
    kept = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = kept;
}

extern "C" __global__ void race_of_blocks(int* out)
{
    if (threadIdx.x == 0) out[0] += 1;
}

extern "C" __global__ void no_race_of_blocks(int* out)
{
    if (threadIdx.x == 0) atomicAdd(out, 1);
}

extern "C" __global__ void race_with_an_atomic(int* out)
{
    atomicAdd(out, 1);
    if (threadIdx.x == 40) out[1] = out[0];
}

extern "C" __global__ void no_race_with_an_atomic(volatile int* out)
{
    atomicAdd((int*)out, 1);
    if (threadIdx.x == 40) out[1] = out[0];
}

extern "C" __global__ void uninitialized_shared(int* out)
{
    __shared__ int kept[65];
    kept[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = kept[threadIdx.x + 1];
}

extern "C" __global__ void uninitialized_global(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }

extern "C" __global__ void uninitialized_local(int* out, int place)
{
    int kept[8];
    kept[out[0] & 7] = 1;
    out[threadIdx.x] = kept[place & 7];
}

extern "C" __global__ void uninitialized_register(int* out)
{
    int never;
    asm volatile("{ .reg .s32 t; add.s32 %0, t, 1; }" : "=r"(never));
    out[threadIdx.x] = never;
}

extern "C" __global__ void constant(const int* __restrict__ in, int* __restrict__ out)
{
    out[threadIdx.x] = in[(threadIdx.x + 1) % 64] + 1;
}

extern "C" __global__ void past_the_end(int* out) { out[threadIdx.x + 1] = 1; }

extern "C" __global__ void before_the_begin(int* out) { out[int(threadIdx.x) - 1] = 1; }

extern "C" __global__ void past_shared(int* out)
{
    extern __shared__ int dynamic[];
    dynamic[threadIdx.x] = 1;
    out[threadIdx.x] = dynamic[threadIdx.x];
}

extern "C" __global__ void misaligned(signed char* out) { *(int*)(out + 1) = 1; }

extern "C" __global__ void part_of_a_warp(int* out)
{
    if (threadIdx.x < 16) __syncwarp();
    out[threadIdx.x] = 1;
}

extern "C" __global__ void shuffle_of_a_part(int* out)
{
    if (threadIdx.x % 32 < 16) out[threadIdx.x] = __shfl_xor_sync(~0u, out[threadIdx.x], 1);
}

extern "C" __global__ void shuffle_from_outside(int* out)
{
    if (threadIdx.x % 32 < 16) out[threadIdx.x] = __shfl_sync(0xFFFFu, out[threadIdx.x], 20);
}

extern "C" __global__ void no_member(int* out)
{
    if (threadIdx.x % 32 < 16) out[threadIdx.x] = __shfl_sync(0xFFFF0000u, out[threadIdx.x], 20);
}

extern "C" __global__ void divergent_barrier(int* out)
{
    if (threadIdx.x % 32 < 16) {
        __syncthreads();
        out[threadIdx.x] = 2;
    } else {
        out[threadIdx.x] = 3;
        __syncthreads();
    }
}

extern "C" __global__ void barrier_after_the_end(int* out)
{
    if (threadIdx.x < 32) return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

extern "C" __global__ void two_barriers(int* out)
{
    if (threadIdx.x < 32) {
        __syncthreads();
        out[threadIdx.x] = 2;
    } else {
        out[threadIdx.x] = 3;
        __syncthreads();
    }
}

extern "C" __global__ void wait_for_a_lane(volatile int* out)
{
    if (threadIdx.x % 32 == 1) {
        while (out[0] == 0) {}
    }
    if (threadIdx.x % 32 == 0) out[0] = 1;
}

// Words of one bank, in every 32nd place, or of 32 banks.
extern "C" __global__ void stride(int* out, int step)
{
    __shared__ int kept[32 * 32];
    for (int x = threadIdx.x; x < 32 * 32; x += blockDim.x) kept[x] = x;
    __syncthreads();
    out[threadIdx.x] = kept[threadIdx.x % 32 * step];
}

extern "C" __global__ void stop(int* out)
{
    if (out[0] == 0) __trap();
}
