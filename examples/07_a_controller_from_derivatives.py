"""A million states, and a controller: batches at native speed, and the linearisation of the arm.

The arm holds a pose against gravity. Around it x = (q, qd) obeys x' = A x + B u; the Riccati equation
gives the gains of a linear-quadratic regulator, which then brings the arm back from a push.
"""

import time

import numpy as np

import armdyn as ad

STATES = 1_000_000
STEP = 1e-3  # [s]


def throughput(dyn: ad.Dynamics) -> None:
    q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, (3, STATES, dyn.n))
    dyn.inverse(q[:100], qd[:100], qdd[:100])  # compiles, or finds the code on disk
    tau = np.ones_like(q)  # the first touch of new memory would cost more than the torques
    start = time.perf_counter()
    dyn.inverse(q, qd, qdd, out=tau)
    print(f"{STATES} torques of {dyn.robot.name} in {time.perf_counter() - start:.3f} s")


def regulator(A: np.ndarray, B: np.ndarray, Q: np.ndarray, R: np.ndarray) -> np.ndarray:
    """The gains K of u = -K x, from the stable half of the Hamiltonian's eigenvectors."""
    n = len(A)
    hamiltonian = np.block([[A, -B @ np.linalg.solve(R, B.T)], [-Q, -A.T]])
    values, vectors = np.linalg.eig(hamiltonian)
    stable = vectors[:, np.real(values) < 0]
    P = np.real(stable[n:] @ np.linalg.inv(stable[:n]))
    return np.linalg.solve(R, B.T @ P)


def main() -> None:
    dyn = ad.Dynamics(ad.load("ur5"), motors="none")
    throughput(dyn)

    goal = np.array([0.0, -1.2, 1.4, -0.3, 0.5, 0.0])
    holding = dyn.gravity(goal)
    A, B = dyn.linearisation(goal, np.zeros(6), holding)
    K = regulator(A, B, Q=np.diag([100.0] * 6 + [1.0] * 6), R=0.01 * np.eye(6))

    q, qd = goal + 0.2, np.zeros(6)
    for step in range(2001):
        if step % 500 == 0:
            print(f"t = {step * STEP:.1f} s: {np.linalg.norm(q - goal):.2e} rad from the goal")
        tau = holding - K @ np.concatenate([q - goal, qd])
        qd = qd + STEP * dyn.forward(q, qd, tau)
        q = q + STEP * qd


if __name__ == "__main__":
    main()
