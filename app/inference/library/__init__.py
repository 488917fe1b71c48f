"""Models on this machine: what they are, whether they fit, when they were used. No Qt, and nothing is loaded."""
