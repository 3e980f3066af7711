"""Summaries of a study's stored scores that papers share: labelled data in, labelled data out."""
