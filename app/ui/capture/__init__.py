"""Pictures of the screen, taken by what the system has for it; the user chooses what is on them."""
