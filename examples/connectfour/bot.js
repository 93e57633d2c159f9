// A Connect Four bot in JavaScript: Monte Carlo tree search (Kocsis and Szepesvári, 2006).
//
// Nothing to build; it needs node 14 or later and no packages.
// Register it:  league register monte exec:'node bot.js' --folder examples/connectfour \
//                 --game connectfour
// The protocol: docs/reference/json-lines.md. It plays any board and any length of row.
'use strict';

const readline = require('readline');

const MARGIN_S = 0.025; // kept for the way of the answer
const EXPLORATION = 1.4;
const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

class Board {
  constructor(rules) {
    this.rules = rules;
    this.squares = new Int8Array(rules.columns * rules.rows); // 0 free, 1 and 2 the seats' stones
    this.heights = new Int8Array(rules.columns);
    this.stones = 0;
    this.winner = 0;
  }

  copy() {
    const squares = this.squares.slice();
    const heights = this.heights.slice();
    return Object.assign(Object.create(Board.prototype), this, { squares, heights });
  }

  get mover() {
    return (this.stones % 2) + 1;
  }

  get isOver() {
    return this.winner > 0 || this.stones === this.squares.length;
  }

  columns() {
    const open = [];
    this.heights.forEach((height, column) => {
      if (height < this.rules.rows) open.push(column);
    });
    return open;
  }

  play(column) {
    if (this.completesRow(column, this.mover)) this.winner = this.mover;
    this.squares[this.heights[column]++ * this.rules.columns + column] = this.mover;
    this.stones++;
  }

  // Whether the next stone in a column would complete a row for that seat.
  completesRow(column, seat) {
    const row = this.heights[column];
    return DIRECTIONS.some(([right, up]) => {
      const before = this.countFrom(column, row, -right, -up, seat);
      const behind = this.countFrom(column, row, right, up, seat);
      return before + 1 + behind >= this.rules.connect;
    });
  }

  countFrom(column, row, right, up, seat) {
    const { columns, rows } = this.rules;
    let count = 0;
    let x = column + right;
    let y = row + up;
    while (x >= 0 && x < columns && y >= 0 && y < rows && this.squares[y * columns + x] === seat) {
      count++;
      x += right;
      y += up;
    }
    return count;
  }

  // Return the moves worth a thought: one that wins or blocks at once leaves no choice.
  candidates() {
    const open = this.columns();
    for (const seat of [this.mover, 3 - this.mover]) {
      const forced = open.find((column) => this.completesRow(column, seat));
      if (forced !== undefined) return [forced];
    }
    return open;
  }
}

class Node {
  constructor(board, column = -1) {
    this.board = board;
    this.column = column;
    this.untried = board.isOver ? [] : board.candidates();
    this.children = [];
    this.visits = 0;
    this.points = 0; // for the seat that moved into this node
  }

  pick() {
    const log = Math.log(this.visits);
    const worth = (child) =>
      child.points / child.visits + EXPLORATION * Math.sqrt(log / child.visits);
    return this.children.reduce((best, child) => (worth(child) > worth(best) ? child : best));
  }

  expand(random) {
    const index = Math.floor(random() * this.untried.length);
    const [column] = this.untried.splice(index, 1);
    const board = this.board.copy();
    board.play(column);
    const child = new Node(board, column);
    this.children.push(child);
    return child;
  }
}

function playout(start, random) {
  const board = start.copy();
  while (!board.isOver) {
    const moves = board.candidates();
    board.play(moves[Math.floor(random() * moves.length)]);
  }
  return board.winner;
}

function grow(root, random) {
  const path = [root];
  let node = root;
  while (node.untried.length === 0 && node.children.length > 0) {
    node = node.pick();
    path.push(node);
  }
  if (node.untried.length > 0) {
    node = node.expand(random);
    path.push(node);
  }
  const winner = playout(node.board, random);
  for (const each of path) {
    const moved = 3 - each.board.mover;
    each.visits++;
    each.points += winner === 0 ? 0.5 : winner === moved ? 1 : 0;
  }
}

function choose(question, rules, random) {
  const board = new Board(rules);
  question.moves.forEach((text) => board.play(Number(text) - 1));
  const seconds = question.seconds === null ? 1 : question.seconds;
  const deadline = Date.now() + 1000 * (seconds - MARGIN_S);
  const root = new Node(board);
  do {
    grow(root, random);
  } while (Date.now() < deadline && !(question.nodes !== null && root.visits >= question.nodes));
  const best = root.children.reduce((a, b) => (b.visits > a.visits ? b : a));
  const score = best.points / best.visits;
  return { move: String(best.column + 1), report: { nodes: root.visits, score } };
}

// A small generator, so that the league's seed repeats a match (Marsaglia's xorshift, 2003).
function randomOf(seed) {
  let word = seed % 4294967291 || 1;
  return () => {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    return (word >>> 0) / 4294967296;
  };
}

let match = { rules: {}, seed: 1 };
let random = randomOf(1);

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const question = JSON.parse(line);
  const answer = { id: question.id };
  if (question.type === 'hello') {
    answer.protocol = 1;
  } else if (question.type === 'match') {
    match = question;
    random = randomOf(match.seed);
  } else if (question.type === 'move') {
    Object.assign(answer, choose(question, match.rules, random));
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
