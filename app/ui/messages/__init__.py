"""The conversation: one widget per message, and the receipt under each answer."""
