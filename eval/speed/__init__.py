"""How fast everything is: layers beside their peers, memory, the wait before the first step; tables and a plot."""
