"""The caches: prefix state, vision features, and the disk tier behind them."""
