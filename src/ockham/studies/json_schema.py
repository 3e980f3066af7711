"""The JSON schema of a study's file."""

from collections.abc import Sequence
from typing import Any

from pydantic.json_schema import models_json_schema

from ockham import families
from ockham.contracts import NAME
from ockham.studies.grids import study_class
from ockham.studies.study_files import DEFAULT_MODEL

__all__ = ["schema"]


def schema(names: Sequence[str] | None = None) -> dict[str, Any]:
    """JSON schema of a study's file, of these families or all, with or without conditions, for editors."""
    kinds = {name: study_class(families.family(name)) for name in names or families.family_names()}
    title = "A study of Ockham"
    places, whole = models_json_schema([(kind, "validation") for kind in kinds.values()], title=title)
    for name, kind in kinds.items():
        own = whole["$defs"][places[kind, "validation"]["$ref"].removeprefix("#/$defs/")]
        del own["properties"]["condition"]  # set by the name under `conditions`
        keys = own["properties"]
        condition = {"type": "object", "properties": {**keys}, "additionalProperties": False}
        del keys["streams"]
        keys["model"] = {"const": name}
        keys["conditions"] = {
            "type": "object",
            "patternProperties": {f"^{NAME}$": condition},
            "additionalProperties": False,
            "minProperties": 1,
        }
        always = ["study", *([] if name == DEFAULT_MODEL else ["model"])]
        own["anyOf"] = [{"required": own.pop("required")}, {"required": ["conditions"]}]
        own["required"] = always
    return whole | {"anyOf": [{"$ref": places[kind, "validation"]["$ref"]} for kind in kinds.values()]}
