-- Which server answers on a port: ours, or one that was quicker to take it.
SHOW data_directory
