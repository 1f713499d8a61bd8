"""What every joint and drive feels over the workspace: the kinds of `armdyn study`."""
