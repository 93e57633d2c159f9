"""A first poker bot: its share of the pot in random deals of the unseen cards, and the price."""

import random

from phevaluator import evaluate_cards

from bots import Bot, Report

DEALS = 200


class Odds(Bot):
    """Raises with good cards, calls if its share is worth the price, else checks or folds."""

    def new_match(self, game, seat, seed):
        self.random = random.Random(seed)

    def choose(self, view, clock):
        # The other seat's cards in it are drawn, but all else is as in the real hand.
        state = view.sample(self.random)
        share = self.share(state.hole(view.seat), state.board)
        self.report = Report(text=f"expects {share:.0%} of the pot")
        moves = view.legal_moves()
        raises = [move for move in moves if move not in ("fold", "check", "call")]
        if raises and share > 0.8:
            return raises[-1]
        if raises and share > 0.6:
            return raises[0]
        if "check" in moves:
            return "check"
        price = state.to_call / (state.pot + state.to_call)
        return "call" if share >= price else "fold"

    def share(self, hole, board):
        """Deal the cards that are not seen again and again; return the mean share of the pot."""
        unseen = [card for card in range(52) if card not in hole + board]
        points = 0
        for _ in range(DEALS):
            other1, other2, *rest = self.random.sample(unseen, 7 - len(board))
            mine = evaluate_cards(*hole, *board, *rest)
            theirs = evaluate_cards(other1, other2, *board, *rest)
            points += (mine < theirs) + (mine == theirs) / 2
        return points / DEALS
