"""What the Lagrangian formulations stand on: 4x4 matrices with derivatives, coefficients, actuators."""
