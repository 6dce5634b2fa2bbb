// Operations that test_interpreter.py compares with Python's integers. Blocks of 64 threads take a multiple of 64
// rows, so that every warp is whole.

extern "C" __global__ void operate(
    const unsigned long long* a, const unsigned long long* b, unsigned long long* out, int rows)
{
    for (int i = threadIdx.x; i < rows; i += blockDim.x) {
        const unsigned long long x = a[i], y = b[i] | 1;
        const unsigned low = x, other = y;
        unsigned long long* const found = out + 24 * i;
        const unsigned __int128 product = (unsigned __int128)x * y + ((unsigned __int128)y << 64);
        found[0] = __umul64hi(x, y);
        found[1] = __mul64hi(x, y);
        found[2] = x / y;
        found[3] = (long long)x % (long long)y;
        found[4] = __brevll(x);
        found[5] = __clzll(x) + 100 * __ffsll(x) + 10000 * __popcll(x);
        found[6] = product;
        found[7] = product >> 64;
        found[8] = __byte_perm(low, other, x >> 40);
        found[9] = __funnelshift_l(low, x >> 32, other);
        found[10] = __funnelshift_r(low, x >> 32, other);
        found[11] = __dp4a(low, other, 5u);
        found[12] = __dp2a_lo(low, other, 7u);
        found[13] = (long long)x >> (y & 63);
        found[14] = unsigned((int)low >> (y & 31));
        found[15] = x << (y & 63);
        found[16] = (signed char)x + (long long)(short)y;
        found[17] = (int)low < (int)other ? (long long)(int)low * (int)other : (unsigned long long)low * other;
        found[18] = __umulhi(low, other) + ((unsigned long long)__mulhi((int)low, (int)other) << 32);
        found[19] = (unsigned short)(x >> 3) / (unsigned short)y + ((unsigned long long)(low % other) << 32);
        found[20] = (long long)((double)(int)low * 0.5);
        found[21] = __double_as_longlong(__fma_rn((double)(int)low, (double)(int)other, 0.25));
        found[22] = min((long long)x, (long long)y) ^ max(low, other);
        found[23] = __reduce_add_sync(~0u, 1u) + __popc(__match_any_sync(~0u, i));
    }
}
