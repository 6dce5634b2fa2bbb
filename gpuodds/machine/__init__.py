"""What depends on the machine: operating systems, files, processes, whom a folder can be trusted to."""
