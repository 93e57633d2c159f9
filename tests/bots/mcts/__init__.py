"""Tests of bots.mcts."""
