// Finds rows in which a card is twice.

// Row i is the `size` cards of cards[i] and the `more_size` cards of more[i]. `bad` receives the lowest
// number of such a row, and stays as it is if there is none.
extern "C" __global__ void check_cards(
    const unsigned char* __restrict__ cards,
    int size,
    const unsigned char* __restrict__ more,
    int more_size,
    long long rows,
    unsigned long long* __restrict__ bad)
{
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += threads) {
        unsigned long long seen = 0;
        bool repeated = false;
        for (int x = 0; x < size + more_size; ++x) {
            const int card = x < size ? cards[i * size + x] : more[i * more_size + x - size];
            const unsigned long long bit = 1ULL << card;
            repeated = repeated || seen & bit;
            seen |= bit;
        }
        if (repeated) atomicMin(bad, (unsigned long long)i);
    }
}
