"""What the engine must know about a model family, one small adapter each."""
