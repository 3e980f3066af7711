"""The conda recipe, rendered for each Python: ``python tests/recipe.py`` (``pip install py-rattler-build``)."""

from pathlib import Path

from rattler_build import Stage0Recipe, VariantConfig

RECIPE = Path(__file__).parents[1] / "requirements/recipe.yaml"
PYTHONS = ["3.11.* *_cp311", "3.12.* *_cp312", "3.13.* *_cp313", "3.14.* *_cp314"]
CONDA_FORGE = {"c_compiler": ["gcc"], "c_stdlib": ["sysroot"], "python": PYTHONS}

if __name__ == "__main__":
    rendered = Stage0Recipe.from_file(RECIPE).render(VariantConfig(CONDA_FORGE))
    for variant in rendered:
        print(variant.recipe.package.name, variant.recipe.package.version, variant.variant["python"])
    assert len(rendered) == len(PYTHONS), rendered
