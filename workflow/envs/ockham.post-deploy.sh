# Run by Snakemake in the new environment, from the folder that the workflow runs in: the clone.
set -e
python -m pip install --require-hashes --only-binary :all: -r requirements/build.txt
python -m pip install --require-hashes --no-build-isolation -r requirements/run.txt
python -m pip install --no-index --no-deps --no-build-isolation .
