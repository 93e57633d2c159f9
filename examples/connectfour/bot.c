/* A Connect Four bot in C, without any library: alpha-beta on bitboards, deeper until time is up.
 *
 * Build it:     cc -O2 -o bot-c bot.c
 * Register it:  league register fast exec:./bot-c --folder examples/connectfour --game connectfour
 *
 * The protocol is docs/reference/json-lines.md. The league writes its lines without spaces between names and
 * values and escapes every quote inside a text, so that "name": can be looked for as it stands: no
 * JSON library is needed to read a question.
 *
 * A bitboard holds the stones of one seat, HEIGHT bits a column from the bottom left. The extra
 * bit on top of each column stays empty and keeps rows from running into the next column.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMNS = 7, ROWS = 6, HEIGHT = ROWS + 1, SQUARES = COLUMNS * ROWS };
enum { WON = 1000, CHECK_EVERY = 1024 };

static const double MARGIN_S = 0.02; /* kept for the way of the answer */
static const int ORDER[COLUMNS] = {3, 2, 4, 1, 5, 0, 6};

typedef struct {
    uint64_t own;  /* the stones of the seat to move */
    uint64_t mask; /* all stones */
    int stones;
} Board;

typedef struct {
    double deadline_s;
    long nodes, nodes_max;
    bool is_over;
} Search;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_open(const Board *board, int column)
{
    return !(board->mask & UINT64_C(1) << (column * HEIGHT + ROWS - 1));
}

static Board after(const Board *board, int column)
{
    uint64_t bottom = UINT64_C(1) << (column * HEIGHT);
    return (Board){board->own ^ board->mask, board->mask | (board->mask + bottom),
                   board->stones + 1};
}

/* Whether four stones stand in line: two neighbours, and two such pairs, in each direction. */
static bool has_row(uint64_t stones)
{
    static const int steps[] = {1, HEIGHT - 1, HEIGHT, HEIGHT + 1};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = stones & (stones >> steps[i]);
        if (pairs & (pairs >> (2 * steps[i])))
            return true;
    }
    return false;
}

/* Count the squares that would complete a row of four for a seat: the more, the better. */
static int threats(uint64_t stones, uint64_t mask)
{
    int count = 0;
    for (int column = 0; column < COLUMNS; column++)
        for (int row = 0; row < ROWS; row++) {
            uint64_t square = UINT64_C(1) << (column * HEIGHT + row);
            if (!(mask & square) && has_row(stones | square))
                count++;
        }
    return count;
}

/* Return what the position is worth to the seat to move (Knuth and Moore, 1975). */
static int search(Search *limits, const Board *board, int depth, int alpha, int beta)
{
    if (has_row(board->own ^ board->mask))
        return -(WON - board->stones); /* the seat that has just moved won: the later the better */
    if (board->stones == SQUARES)
        return 0;
    if (depth == 0)
        return threats(board->own, board->mask) -
               threats(board->own ^ board->mask, board->mask);
    limits->nodes++;
    if (limits->nodes_max && limits->nodes >= limits->nodes_max)
        limits->is_over = true;
    if (limits->nodes % CHECK_EVERY == 0 && now_s() > limits->deadline_s)
        limits->is_over = true;
    for (int i = 0; i < COLUMNS && alpha < beta && !limits->is_over; i++) {
        if (!is_open(board, ORDER[i]))
            continue;
        Board next = after(board, ORDER[i]);
        int value = -search(limits, &next, depth - 1, -beta, -alpha);
        if (value > alpha)
            alpha = value;
    }
    return alpha;
}

/* Return the best column at a depth; the value goes to `value`. `first` is tried first. */
static int best_at(Search *limits, const Board *board, int depth, int first, int *value)
{
    int best = first, alpha = -WON;
    for (int i = -1; i < COLUMNS; i++) {
        int column = i < 0 ? first : ORDER[i];
        if (!is_open(board, column) || (i >= 0 && column == first))
            continue;
        Board next = after(board, column);
        int found = -search(limits, &next, depth - 1, -WON, -alpha);
        if (limits->is_over)
            break; /* this depth is not finished: its last value means nothing */
        if (found > alpha) {
            alpha = found;
            best = column;
        }
    }
    *value = alpha;
    return best;
}

/* Return what follows "name": in a line, NULL where it is missing. */
static const char *field(const char *line, const char *name)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, "\"%s\":", name);
    const char *found = strstr(line, wanted);
    return found ? found + strlen(wanted) : NULL;
}

/* Return a number of a question; `otherwise` where it is missing or null. */
static double number(const char *line, const char *name, double otherwise)
{
    const char *text = field(line, name);
    return text && strncmp(text, "null", 4) ? strtod(text, NULL) : otherwise;
}

/* Play the moves so far, ["4","4",...], columns counted from 1. */
static Board board_of(const char *line)
{
    Board board = {0, 0, 0};
    const char *text = field(line, "moves");
    for (; text && *text != ']'; text++)
        if (*text >= '1' && *text <= '0' + COLUMNS)
            board = after(&board, *text - '1');
    return board;
}

static void answer_move(const char *line, long id)
{
    Board board = board_of(line);
    Search limits = {now_s() + number(line, "seconds", 10) - MARGIN_S, 0,
                     (long)number(line, "nodes", 0), false};
    int depth_max = (int)number(line, "depth", SQUARES);
    int left = SQUARES - board.stones, best = 0, reached = 0, score = 0;
    while (best < COLUMNS - 1 && !is_open(&board, ORDER[best]))
        best++;
    best = ORDER[best];
    for (int depth = 1; depth <= depth_max && depth <= left; depth++) {
        int value, column = best_at(&limits, &board, depth, best, &value);
        if (limits.is_over)
            break;
        best = column;
        score = value;
        reached = depth;
        if (abs(value) > WON - 2 * SQUARES)
            break; /* won or lost: nothing more to find */
    }
    printf("{\"id\":%ld,\"move\":\"%d\",\"report\":{\"depth\":%d,\"nodes\":%ld,\"score\":%d}}\n",
           id, best + 1, reached, limits.nodes, score);
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        long id = (long)number(line, "id", 0);
        const char *type = field(line, "type");
        if (type && !strncmp(type, "\"hello\"", 7))
            printf("{\"id\":%ld,\"protocol\":1,\"legal\":false,\"fen\":false}\n", id);
        else if (type && !strncmp(type, "\"move\"", 6))
            answer_move(line, id);
        else
            printf("{\"id\":%ld}\n", id);
        fflush(stdout); /* else the answer waits in a buffer, and the league for the answer */
    }
    free(line);
    return 0;
}
