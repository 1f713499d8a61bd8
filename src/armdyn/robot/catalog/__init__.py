"""The built-in robots, one TOML file each, every number with its source."""
