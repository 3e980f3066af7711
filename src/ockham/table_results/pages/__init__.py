"""Pages of results that stand by themselves."""

from pathlib import Path

__all__ = ["TEMPLATES"]

TEMPLATES = Path(__file__).parent
"""The folder of what pages are made from."""
