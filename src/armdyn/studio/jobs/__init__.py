"""What takes long, in processes of its own: verifications, retimings, studies, equations, files of them.

workers   processes that are kept warm; cancelling one ends it
worker    what runs in such a process: one job after the other
"""
