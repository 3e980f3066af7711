"""The papers that are reproduced, a folder each: what it prints, its figures, its tables."""
