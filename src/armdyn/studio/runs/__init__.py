"""Runs as a page shows them: samples, moves, violations, limits, ready to be played.

motion     samples of joints and motors, poses of the bodies, channels to plot
limits     of joints and motors, and the motors' envelopes
verified   a verification as a run; verdicts what is said of it, suggestions what to do about it
recorded   a run in a file
"""
