"""Who evaluates chunks: processes of this machine, or those of a Dask cluster."""
