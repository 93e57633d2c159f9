/* Alpha-beta on Connect Four in plain C: what this search takes where nothing is general.
 *
 * `connectfour DEPTH` searches the empty board, columns left to right, no evaluation, and prints
 * its value, its nodes (every position made, the root included) and its seconds of processor time.
 * A bitboard is column-major from the bottom left, 7 bits a column, the top one never set.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COLUMNS = 7, ROWS = 6, STRIDE = ROWS + 1, CELLS = COLUMNS * ROWS };

static uint64_t nodes = 1;

static int has_row(uint64_t stones)
{
    static const int steps[] = {1, STRIDE, STRIDE - 1, STRIDE + 1};
    for (int each = 0; each < 4; each++) {
        uint64_t pairs = stones & stones >> steps[each];
        if (pairs & pairs >> 2 * steps[each])
            return 1;
    }
    return 0;
}

/* The value to the mover, whose stones are `own` of all `stones`; utilities are -1, 0 and 1. */
static int value_of(uint64_t own, uint64_t stones, int count, int depth, int alpha, int beta)
{
    int best = -2;
    for (int column = 0; column < COLUMNS; column++) {
        uint64_t bottom = 1ULL << STRIDE * column;
        if (stones & bottom << (ROWS - 1))
            continue;
        uint64_t after = stones | (stones + bottom);
        uint64_t mine = own | (after ^ stones);
        int value;
        nodes++;
        if (has_row(mine))
            value = 1;
        else if (depth == 1 || count + 1 == CELLS)
            value = 0;
        else
            value = -value_of(after ^ mine, after, count + 1, depth - 1, -beta, -alpha);
        if (value > best) {
            if (value >= beta)
                return value;
            best = value;
            if (value > alpha)
                alpha = value;
        }
    }
    return best;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    int depth = argc == 2 ? atoi(argv[1]) : 0;
    if (depth < 1) {
        fprintf(stderr, "usage: connectfour DEPTH (plies, from 1)\n");
        return 2;
    }
    double begin_s = now_s();
    int value = value_of(0, 0, 0, depth, -2, 2);
    printf("%d %llu %.9f\n", value, (unsigned long long)nodes, now_s() - begin_s);
    return 0;
}
