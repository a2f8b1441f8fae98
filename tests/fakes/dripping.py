"""Another program that sends sign after sign, one a second by a clock of its own, and no end."""


class Dripping:
    """Stands for a connection, and for the module `time` of who reads from it."""

    now = timeout = 0.0

    def monotonic(self):
        return self.now

    def settimeout(self, seconds):
        self.timeout = seconds

    def setblocking(self, is_blocking):
        self.timeout = 0.0

    def recv(self, size):
        if self.timeout < 1.0:
            raise TimeoutError if self.timeout else BlockingIOError
        self.now += 1.0
        assert self.now < 10, "it is still waited for"
        return b"x"

    def sendall(self, data):
        pass

    def close(self):
        pass
