"""The studio: armdyn in a browser, served to this machine alone unless asked otherwise.

messages     one schema for everything that is said; the page's types are generated from it
frames       large answers: JSON and arrays in one binary message
access       who may talk: token, cookie, host, origin; guard: checks it, and tells browsers what to forbid
folder       the files below one folder, and no others; digests: what tells one file from another
robots       by name and settings, kept ready; scenes: as things to draw
runs         verifications and recordings, ready to be played
answers      what is answered at once: robots, states, poses, checks, files
jobs         what takes long, in worker processes: verifications, retimings, studies, equations
live         a running robot, watched
router       who answers which request; clients: one connection each, requests in, answers and events out
server       all of it behind one address; launch: which folder, which address, what to open
"""
