/* A UCI engine that knows how pieces move and nothing else: it plays a random legal move.
 *
 * Options: Seed draws the moves; Talk adds an info line to each, with Line moves expected; Fault is what it does instead of a
 * proper answer to its At-th question of a match; Ponder lets it expect a reply. It never castles, and knows no Chess960.
 *
 * Build: cc -O2 -o plain plain.c
 */

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Squares are 16 * rank + file: what is off the board has a bit of 0x88. */
#define ON(square) (!((square) & 0x88))
#define NONE (-1)

typedef struct {
    char at[128];
    int white, passant, king[2];
} Board;

static Board board;
static uint64_t luck = 88172645463325252ULL;
static int talks, line_moves, ponders, fault_at = 1, questions;
/* 1 while it ponders, 2 after it was told to stop that. */
static int pondering;
static char fault[16] = "none";

static const int STEPS[] = {1, -1, 16, -16, 15, -15, 17, -17};
static const int LEAPS[] = {14, -14, 18, -18, 31, -31, 33, -33};

static int is_own(char piece, int white) { return piece && ((piece < 'a') == white); }

static void clear(void) {
    memset(&board, 0, sizeof board);
    board.passant = NONE;
}

static void set_up(const char *fen) {
    clear();
    int square = 0x70;
    for (; *fen && *fen != ' '; fen++) {
        if (*fen == '/') square = (square & 0xf0) - 16;
        else if (*fen >= '1' && *fen <= '8') square += *fen - '0';
        else {
            if (*fen == 'K') board.king[1] = square;
            if (*fen == 'k') board.king[0] = square;
            board.at[square++] = *fen;
        }
    }
    board.white = fen[1] == 'w';
    fen = strchr(fen + 1, ' ');
    fen = fen ? strchr(fen + 1, ' ') : NULL;
    if (fen && fen[1] >= 'a' && fen[1] <= 'h') board.passant = (fen[2] - '1') * 16 + fen[1] - 'a';
}

static void make(int from, int to, char promoted) {
    char piece = board.at[from];
    int white = board.white, kind = piece | 32, passant = NONE;
    if (kind == 'p') {
        if (to == board.passant) board.at[to + (white ? -16 : 16)] = 0;
        if (abs(to - from) == 32) passant = (from + to) / 2;
    } else if (kind == 'k') {
        board.king[white] = to;
        if (abs(to - from) == 2 && !((to ^ from) & 0x70)) {
            int rook = to > from ? to + 1 : to - 2;
            board.at[(from + to) / 2] = board.at[rook];
            board.at[rook] = 0;
        }
    }
    board.at[from] = 0;
    board.at[to] = promoted ? (white ? promoted - 32 : promoted) : piece;
    board.passant = passant;
    board.white = !white;
}

static int is_attacked(int square, int white) {
    for (int i = 0; i < 8; i++) {
        int from = square + LEAPS[i];
        if (ON(from) && board.at[from] == (white ? 'N' : 'n')) return 1;
        int far = 0;
        for (from = square + STEPS[i]; ON(from); from += STEPS[i], far = 1) {
            char piece = board.at[from];
            if (!piece) continue;
            if (is_own(piece, white)) {
                int kind = piece | 32;
                if (kind == 'q' || kind == (i < 4 ? 'r' : 'b') || (kind == 'k' && !far)) return 1;
                /* A white pawn takes upwards, so it stands below the square. */
                if (kind == 'p' && !far && i > 3 && (STEPS[i] < 0) == white) return 1;
            }
            break;
        }
    }
    return 0;
}

static int is_safe(int from, int to) {
    Board before = board;
    int white = board.white;
    make(from, to, 0);
    int safe = !is_attacked(board.king[white], !white);
    board = before;
    return safe;
}

/* List where the piece on a square can go, kings in check or not; return how many places. */
static int targets(int from, int *found) {
    int white = board.white, kind = board.at[from] | 32, count = 0;
    if (kind == 'p') {
        int up = white ? 16 : -16, first = white ? 1 : 6;
        if (ON(from + up) && !board.at[from + up]) {
            found[count++] = from + up;
            if (from >> 4 == first && !board.at[from + 2 * up]) found[count++] = from + 2 * up;
        }
        for (int side = -1; side < 2; side += 2) {
            int to = from + up + side;
            if (ON(to) && (is_own(board.at[to], !white) || to == board.passant)) found[count++] = to;
        }
        return count;
    }
    const int *ways = kind == 'n' ? LEAPS : STEPS;
    int first = kind == 'b' ? 4 : 0, last = kind == 'r' ? 4 : 8;
    for (int i = first; i < last; i++)
        for (int to = from + ways[i]; ON(to); to += ways[i]) {
            if (is_own(board.at[to], white)) break;
            found[count++] = to;
            if (board.at[to] || kind == 'n' || kind == 'k') break;
        }
    return count;
}

static unsigned draw(unsigned below) {
    luck ^= luck << 13;
    luck ^= luck >> 7;
    luck ^= luck << 17;
    return (unsigned)(luck >> 33) % below;
}

/* Write a legal move, or return 0 where there is none. */
static int choose(char *text) {
    int begin = draw(128);
    for (int i = 0; i < 128; i++) {
        int from = (begin + i) & 127, found[32];
        if (!ON(from) || !is_own(board.at[from], board.white)) continue;
        int count = targets(from, found);
        for (int turn = count ? (int)draw(count) : 0, k = 0; k < count; k++) {
            int to = found[(turn + k) % count];
            if (!is_safe(from, to)) continue;
            int promotes = (board.at[from] | 32) == 'p' && (to >> 4 == 0 || to >> 4 == 7);
            sprintf(text, "%c%c%c%c%s", 'a' + (from & 7), '1' + (from >> 4), 'a' + (to & 7),
                    '1' + (to >> 4), promotes ? "q" : "");
            return 1;
        }
    }
    return 0;
}

static void make_text(const char *move) {
    make((move[1] - '1') * 16 + move[0] - 'a', (move[3] - '1') * 16 + move[2] - 'a', move[4]);
}

static void read_position(char *line) {
    char *moves = strstr(line, " moves ");
    if (moves) *moves = 0;
    char *fen = strstr(line, "fen ");
    set_up(fen ? fen + 4 : "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    if (!moves) return;
    for (char *move = strtok(moves + 7, " \r\n"); move; move = strtok(NULL, " \r\n"))
        make_text(move);
}

/* Misbehave; return whether the question is still to be answered. */
static int misbehave(void) {
    if (!strcmp(fault, "late")) {
        struct pollfd in = {0, POLLIN, 0};
        poll(&in, 1, 10000);
        return 1;
    }
    if (!strcmp(fault, "hang")) {
        signal(SIGTERM, SIG_IGN);
        for (volatile int forever = 1; forever;) {}
    }
    if (!strcmp(fault, "exit")) exit(3);
    if (!strcmp(fault, "crash")) {
        fprintf(stderr, "about to fail\n");
        raise(SIGSEGV);
    }
    if (!strcmp(fault, "illegal")) puts("bestmove a1a1");
    if (!strcmp(fault, "none move")) puts("bestmove (none)");
    if (!strcmp(fault, "null")) puts("bestmove 0000");
    if (!strcmp(fault, "empty")) puts("bestmove");
    if (!strcmp(fault, "garbage")) fwrite("\xff\xfe\0\x1b[2J nonsense\nbestmove \xff\n", 1, 29, stdout);
    char move[8];
    if (!strcmp(fault, "twice") && choose(move)) printf("bestmove %s\nbestmove %s\n", move, move);
    if (!strcmp(fault, "flood"))
        for (;;) fputs("info depth 1 score cp 10 nodes 1 pv e2e4 ", stdout);
    return 0;
}

/* End an info line with a move and random ones that may follow it. */
static void tell_line(const char *first) {
    Board before = board;
    char move[8];
    strcpy(move, first);
    printf(" pv");
    for (int i = 0; *move && i < line_moves; i++) {
        printf(" %s", move);
        make_text(move);
        if (!choose(move)) *move = 0;
    }
    putchar('\n');
    board = before;
}

static void answer(void) {
    char move[8];
    if (++questions == fault_at && strcmp(fault, "none") && !misbehave()) return;
    if (talks)
        printf("info depth 1\n"
               "info depth 1 seldepth 2 multipv 1 score cp 25 nodes 20 nps 20000 tbhits 0 time 1%s",
               line_moves ? "" : "\n");
    int can_move = choose(move);
    if (talks && line_moves) tell_line(can_move ? move : "");
    if (!can_move) strcpy(move, "(none)");
    else if (ponders) {
        char reply[8];
        make_text(move);
        if (choose(reply)) {
            printf("bestmove %s ponder %s\n", move, reply);
            return;
        }
    }
    printf("bestmove %s\n", move);
}

/* Answer for a search that was stopped, as late as possible, and with what must not be played. */
static void end_pondering(void) {
    if (pondering == 2) puts("bestmove a1a1 ponder a1a1");
    pondering = 0;
}

static void set_option(char *line) {
    char *value = strstr(line, " value "), *name = strstr(line, "name ");
    if (!value || !name) return;
    value += 7;
    value[strcspn(value, "\r\n")] = 0;
    name += 5;
    if (!strncasecmp(name, "Seed ", 5)) luck ^= strtoull(value, NULL, 10) * 0x9e3779b97f4a7c15ULL;
    if (!strncasecmp(name, "Talk ", 5)) talks = !strcmp(value, "true");
    if (!strncasecmp(name, "Line ", 5)) line_moves = atoi(value);
    if (!strncasecmp(name, "Ponder ", 7)) ponders = !strcmp(value, "true");
    if (!strncasecmp(name, "At ", 3)) fault_at = atoi(value);
    if (!strncasecmp(name, "Fault ", 6)) snprintf(fault, sizeof fault, "%s", value);
}

int main(void) {
    static char line[1 << 16];
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    clear();
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "position", 8)) read_position(line);
        else if (!strncmp(line, "go ponder", 9)) pondering = 1;
        else if (!strncmp(line, "go", 2)) {
            end_pondering();
            answer();
        } else if (!strncmp(line, "ponderhit", 9)) {
            pondering = 0;
            answer();
        } else if (!strncmp(line, "stop", 4)) pondering = pondering ? 2 : 0;
        else if (!strncmp(line, "ucinewgame", 10)) questions = 0;
        else if (!strncmp(line, "isready", 7)) {
            puts("readyok");
            end_pondering();
        }
        else if (!strncmp(line, "setoption", 9)) set_option(line);
        else if (!strncmp(line, "quit", 4)) return 0;
        else if (!strncmp(line, "uci", 3))
            puts("id name Plain\nid author botleague\n"
                 "option name Seed type spin default 0 min 0 max 1000000\n"
                 "option name Talk type check default false\n"
                 "option name Line type spin default 0 min 0 max 60\n"
                 "option name At type spin default 1 min 1 max 1000\n"
                 "option name Wipe type button\n"
                 "option name Ponder type check default false\n"
                 "option name Note type string default <empty>\n"
                 "option name Fault type combo default none var none var late var hang var exit"
                 " var crash var illegal var none move var null var empty var garbage var twice var flood\n"
                 "uciok");
        /* One write for all that one line of the question brings. */
        if (strncmp(line, "position", 8)) fflush(stdout);
    }
    return 0;
}
