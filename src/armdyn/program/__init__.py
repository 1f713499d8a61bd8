"""The robot language: grammar, checks, interpreter."""

from armdyn.program.files import example_program, program_file
from armdyn.program.programs import (
    ParsedProgram,
    Program,
    catalog_name,
    parse_program,
    problems,
    read_program,
    run_program,
)

__all__ = [
    "ParsedProgram",
    "Program",
    "catalog_name",
    "example_program",
    "parse_program",
    "problems",
    "program_file",
    "read_program",
    "run_program",
]
