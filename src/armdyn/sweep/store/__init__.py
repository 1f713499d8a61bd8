"""Results on disk: a folder of one Parquet file a chunk, each of which proves itself.

    folder/
      study.toml       the study as it was
      manifest.json    what is computed, with what, cut how
      inputs/          copies of the files that the study names
      rows/            chunk-00000012-<digest of the file>.parquet
      damaged/         what was found damaged, set aside
      .lock            held by the sweep that writes

The folder is the only record: a chunk is done when its file has its name, and a name is given to whole files
only. A digest of all bytes stands in the name, so that no flipped bit passes.
"""
