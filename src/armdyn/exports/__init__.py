"""The model elsewhere: C for controllers, FMUs, CasADi functions, URDF and TOML files."""
