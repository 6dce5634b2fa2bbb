// What is counted of the hands that an Omaha hand meets: gpuodds/backends/cuda/omaha/against_random.py reads it.

#pragma once

namespace gpuodds {

// Rows, by high rank: those below the hand's, those not above it, all. Columns, by low: any; without a low, if the
// hand has none; and if it has one, those with a lower low or none, those with no higher one.
enum CountRow {
    BELOW,
    UP_TO,
    ALL_HIGHS,
    NUM_ROWS
};
enum CountColumn {
    ANY_LOW,
    NO_LOW,
    LOWER_LOW,
    UP_TO_LOW,
    NUM_COLUMNS
};

}  // namespace gpuodds
