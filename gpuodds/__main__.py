"""``python -m gpuodds`` is the ``gpuodds`` command."""

from gpuodds.cli.main import main

if __name__ == "__main__":
    main()
