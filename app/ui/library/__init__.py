"""The page of models: what is on this computer, whether it fits, and what may be fetched."""
