"""What all messages have in common, and how large their parts may be."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

LARGEST_TEXT = 2**20
"""Characters of a program or of a robot file."""
MOST_NUMBERS = 256
"""Elements of a vector: more than any arm has joints."""


class Message(BaseModel):
    """Plain data with nothing in it that the schema does not name."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, ser_json_inf_nan="null", use_attribute_docstrings=True
    )


class Request(Message):
    """What a page asks for; `id` comes back with the answer."""

    id: Annotated[int, Field(ge=0, lt=2**53)]


Number = Annotated[float, Field(allow_inf_nan=False)]
Numbers = Annotated[tuple[Number, ...], Field(max_length=MOST_NUMBERS)]
Vector3 = tuple[Number, Number, Number]
Vector6 = tuple[Number, Number, Number, Number, Number, Number]
Word = Annotated[str, StringConstraints(max_length=64)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
"""A name that people gave."""
Path = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
"""A file below the folder, with slashes; or a name of the catalog."""
Text = Annotated[str, StringConstraints(max_length=LARGEST_TEXT)]
Matrix = list[float]
"""16 numbers, column by column, as WebGL has them."""
