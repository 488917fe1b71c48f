"""Where a question is written and pictures are attached."""
