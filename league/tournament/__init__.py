"""Creating, changing, planning and running a tournament."""
