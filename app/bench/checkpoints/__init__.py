"""Random-weight checkpoints of realistic size, made on the spot: timing without a download."""
