"""The JSON schema of a study's file."""

from pydantic.json_schema import models_json_schema

from ockham.machines.settings import BoltzmannStudy
from ockham.networks.settings import Study
from ockham.orders.settings import OrderStudy
from ockham.studies.study_files import DISCRETE_NETWORK, NAME

__all__ = ["schema"]


def schema() -> dict:
    """JSON schema of a study's file, of whatever model, with or without conditions, for editors."""
    kinds = Study, OrderStudy, BoltzmannStudy
    places, whole = models_json_schema([(kind, "validation") for kind in kinds], title="A study of Ockham")
    for kind in kinds:
        own = whole["$defs"][places[kind, "validation"]["$ref"].removeprefix("#/$defs/")]
        del own["properties"]["condition"]  # set by the name under `conditions`
        keys = own["properties"]
        condition = {"type": "object", "properties": {**keys}, "additionalProperties": False}
        del keys["streams"]
        keys["model"] = {"const": kind.model}
        keys["conditions"] = {
            "type": "object",
            "patternProperties": {f"^{NAME}$": condition},
            "additionalProperties": False,
            "minProperties": 1,
        }
        always = ["study", *([] if kind.model == DISCRETE_NETWORK else ["model"])]
        own["anyOf"] = [{"required": own.pop("required")}, {"required": ["conditions"]}]
        own["required"] = always
    return whole | {"anyOf": [{"$ref": places[kind, "validation"]["$ref"]} for kind in kinds]}
