"""Network files: one format a file, every number exact, hostile input refused with file, layer, row and column."""
