"""Studies: questions about a robot that take more than one evaluation of its equations."""

from armdyn.studies.motor_models import MotorModelComparison, compare_motor_models, motor_models

__all__ = ["MotorModelComparison", "compare_motor_models", "motor_models"]
