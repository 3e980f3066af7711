"""Files: netCDF stores, files that are written whole, strict YAML, downloads."""
