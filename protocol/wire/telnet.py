"""Telnet: the bytes of its negotiations taken out of what a server sends.

Source: RFC 854.
"""

IAC, SE, SB, WILL, DONT = 255, 240, 250, 251, 254


class TelnetFilter:
    """Takes negotiations out of received bytes, also where they are cut in two."""

    def __init__(self) -> None:
        self._is_command = False  # the next byte, which follows a 255
        self._is_option = False  # the next byte, which follows a command that has one
        self._is_block = False

    def text(self, data: bytes) -> bytes:
        """The bytes that are no negotiation; a doubled 255 stands for a single one."""
        kept = bytearray()
        for byte in data:
            if self._is_option:
                self._is_option = False
            elif self._is_command:
                self._is_command = False
                self._obey(byte, kept)
            elif byte == IAC:
                self._is_command = True
            elif not self._is_block:
                kept.append(byte)
        return bytes(kept)

    def _obey(self, byte: int, kept: bytearray) -> None:
        if byte == SB:
            self._is_block = True
        elif byte == SE:
            self._is_block = False
        elif WILL <= byte <= DONT:
            self._is_option = True
        elif byte == IAC and not self._is_block:
            kept.append(IAC)
