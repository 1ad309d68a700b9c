"""Tools of the repository: they read the package, and are no part of it."""
