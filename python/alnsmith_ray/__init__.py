"""`alnsmith-ray search`: a database search on the nodes of a Ray cluster, a shard a task (docs/cluster.md).

command.py has the options and the order of things, driver.py what goes to the cluster and comes from it, task.py what
runs on a node, child.py how a program is run so that nothing is left of it.
"""
