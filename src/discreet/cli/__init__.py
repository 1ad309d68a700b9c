"""The `discreet` command: one file a subcommand. What is heavy is imported where it is used."""
