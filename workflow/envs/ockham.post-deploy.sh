# Run by Snakemake in the new environment, from the folder that the workflow runs in: the clone.
pip install .
