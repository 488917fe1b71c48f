"""Conversations, messages and image files, kept in SQLite and on disk."""
