"""Files in memory that loaders read before the disk."""


class MjVfs:
    """Named byte strings; usable in a ``with`` statement, closed at its end."""

    def __init__(self):
        self._files = {}

    def _open_files(self):
        if self._files is None:
            raise RuntimeError("VFS is closed")
        return self._files

    def close(self):
        """Forgets all files; closing twice does no harm."""
        self._files = None

    def __enter__(self):
        self._open_files()
        return self

    def __exit__(self, *unused):
        self.close()

    def __setitem__(self, name, content):
        files = self._open_files()
        if name in files:
            raise ValueError(f"file '{name}' exists already")
        files[name] = bytes(content)

    def __delitem__(self, name):
        del self._open_files()[name]

    def __contains__(self, name):
        return name in self._open_files()

    def items(self):
        return self._open_files().items()
