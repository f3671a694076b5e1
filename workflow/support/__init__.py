"""What the rules need besides the library: the import graph, the data sets, the figure registry."""
