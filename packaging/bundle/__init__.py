"""What goes into a bundle, for Linux and macOS alike; the two PyInstaller specs add what their platform needs."""
