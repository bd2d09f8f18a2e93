"""Judging policies: duplicate deals, intervals by deal, speed. Write `from eval import arena`, never `import eval`."""
