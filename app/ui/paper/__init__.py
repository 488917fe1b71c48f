"""A conversation on paper: one document for a printer or a PDF file, in the light colours."""
