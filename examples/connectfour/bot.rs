//! A Connect Four bot in Rust, one file and no crates: alpha-beta with a transposition table.
//!
//! Build it:     rustc --edition 2021 -O -o bot-rs bot.rs
//! Register it:  league register rusty exec:./bot-rs --folder examples/connectfour \
//!                 --game connectfour
//!
//! The protocol is docs/reference/json-lines.md. The league writes its lines without spaces between names and
//! values and escapes every quote inside a text, so that `"name":` can be looked for as it stands.
//!
//! A bitboard holds the stones of one seat, HEIGHT bits a column from the bottom left. The extra
//! bit on top of each column stays empty and keeps rows from running into the next column.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
const HEIGHT: u32 = ROWS + 1;
const SQUARES: i32 = (COLUMNS * ROWS) as i32;
const ORDER: [u32; COLUMNS as usize] = [3, 2, 4, 1, 5, 0, 6];
const WON: i32 = 1000;
const CHECK_EVERY: u64 = 1024;
const MARGIN: Duration = Duration::from_millis(20); // kept for the way of the answer
const TABLE: usize = 1 << 18;

#[derive(Clone, Copy)]
struct Board {
    own: u64, // the stones of the seat to move
    mask: u64,
    stones: i32,
}

impl Board {
    const EMPTY: Board = Board {
        own: 0,
        mask: 0,
        stones: 0,
    };

    fn is_open(&self, column: u32) -> bool {
        self.mask >> (column * HEIGHT + ROWS - 1) & 1 == 0
    }

    fn after(&self, column: u32) -> Board {
        Board {
            own: self.own ^ self.mask,
            mask: self.mask | (self.mask + (1 << (column * HEIGHT))),
            stones: self.stones + 1,
        }
    }

    fn other(&self) -> u64 {
        self.own ^ self.mask
    }

    /// A number that no other position has: each column's stones below one more bit.
    fn key(&self) -> u64 {
        self.own + self.mask
    }
}

/// Whether four stones stand in line: two neighbours, and two such pairs, in each direction.
fn has_row(stones: u64) -> bool {
    [1, HEIGHT - 1, HEIGHT, HEIGHT + 1].iter().any(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// Count the free squares that would complete a row for a seat.
fn threats(stones: u64, mask: u64) -> i32 {
    (0..COLUMNS)
        .flat_map(|column| (0..ROWS).map(move |row| 1u64 << (column * HEIGHT + row)))
        .filter(|square| mask & square == 0 && has_row(stones | square))
        .count() as i32
}

#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    depth: i32,
    value: i32,
    bound: Bound,
}

struct Search {
    deadline: Instant,
    nodes: u64,
    nodes_max: Option<u64>,
    is_over: bool,
    table: Vec<Option<Entry>>,
}

impl Search {
    /// Return what the position is worth to the seat to move (Knuth and Moore, 1975).
    fn value(&mut self, board: Board, depth: i32, mut alpha: i32, beta: i32) -> i32 {
        if has_row(board.other()) {
            return board.stones - WON; // the seat that has just moved won: the later the better
        }
        if board.stones == SQUARES {
            return 0;
        }
        if depth == 0 {
            return threats(board.own, board.mask) - threats(board.other(), board.mask);
        }
        self.count();
        let place = (board.key() % TABLE as u64) as usize;
        if let Some(known) = self.table[place] {
            let decides = match known.bound {
                Bound::Exact => true,
                Bound::AtLeast => known.value >= beta,
                Bound::AtMost => known.value <= alpha,
            };
            if known.key == board.key() && known.depth == depth && decides {
                return known.value;
            }
        }
        let low = alpha;
        let mut best = -WON;
        for column in ORDER {
            if alpha >= beta || self.is_over {
                break;
            }
            if board.is_open(column) {
                best = best.max(-self.value(board.after(column), depth - 1, -beta, -alpha));
                alpha = alpha.max(best);
            }
        }
        if !self.is_over {
            let bound = match best {
                _ if best >= beta => Bound::AtLeast,
                _ if best <= low => Bound::AtMost,
                _ => Bound::Exact,
            };
            self.table[place] = Some(Entry {
                key: board.key(),
                depth,
                value: best,
                bound,
            });
        }
        best
    }

    /// Return the best column and its value at a depth; `first` is tried first.
    fn best(&mut self, board: Board, depth: i32, first: u32) -> (u32, i32) {
        let (mut best, mut alpha) = (first, -WON);
        let others = ORDER.into_iter().filter(|column| *column != first);
        for column in std::iter::once(first).chain(others) {
            if !board.is_open(column) {
                continue;
            }
            let value = -self.value(board.after(column), depth - 1, -WON, -alpha);
            if self.is_over {
                break; // this depth is not finished: its last value means nothing
            }
            if value > alpha {
                (best, alpha) = (column, value);
            }
        }
        (best, alpha)
    }

    fn count(&mut self) {
        self.nodes += 1;
        let is_late = self.nodes % CHECK_EVERY == 0 && Instant::now() > self.deadline;
        let is_spent = matches!(self.nodes_max, Some(most) if self.nodes >= most);
        self.is_over |= is_late || is_spent;
    }
}

/// Return what follows `"name":` in a line.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let wanted = format!("\"{name}\":");
    line.find(&wanted).map(|at| &line[at + wanted.len()..])
}

/// Return a number of a question, None where it is missing or null.
fn number(line: &str, name: &str) -> Option<f64> {
    let text = field(line, name)?;
    text[..text.find([',', '}'])?].parse().ok()
}

/// Return the position after the moves so far, `["4","4"]`, columns counted from 1.
fn board_of(line: &str) -> Board {
    let moves = field(line, "moves").unwrap_or("");
    let moves = &moves[..moves.find(']').unwrap_or(0)];
    moves
        .chars()
        .filter_map(|each| each.to_digit(10))
        .fold(Board::EMPTY, |board, column| board.after(column - 1))
}

fn answer(line: &str) -> String {
    let board = board_of(line);
    let seconds = Duration::from_secs_f64(number(line, "seconds").unwrap_or(10.0));
    let mut search = Search {
        deadline: Instant::now() + seconds.saturating_sub(MARGIN),
        nodes: 0,
        nodes_max: number(line, "nodes").map(|most| most as u64),
        is_over: false,
        table: vec![None; TABLE],
    };
    let depth_max = number(line, "depth").map_or(SQUARES, |depth| depth as i32);
    let mut best = ORDER
        .into_iter()
        .find(|column| board.is_open(*column))
        .unwrap_or(0);
    let (mut reached, mut score) = (0, 0);
    for depth in 1..=depth_max.min(SQUARES - board.stones) {
        let (column, value) = search.best(board, depth, best);
        if search.is_over {
            break;
        }
        (best, reached, score) = (column, depth, value);
        if score.abs() > WON - 2 * SQUARES {
            break; // won or lost: nothing more to find
        }
    }
    format!(
        "\"move\":\"{}\",\"report\":{{\"depth\":{reached},\"nodes\":{},\"score\":{score}}}",
        best + 1,
        search.nodes
    )
}

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let id = number(&line, "id").unwrap_or(0.0);
        let kind = field(&line, "type").unwrap_or("");
        if kind.starts_with("\"hello\"") {
            writeln!(out, "{{\"id\":{id},\"protocol\":1,\"legal\":false,\"fen\":false}}")?;
        } else if kind.starts_with("\"move\"") {
            writeln!(out, "{{\"id\":{id},{}}}", answer(&line))?;
        } else {
            writeln!(out, "{{\"id\":{id}}}")?;
        }
        out.flush()?; // else the answer waits in a buffer, and the league for the answer
    }
    Ok(())
}
