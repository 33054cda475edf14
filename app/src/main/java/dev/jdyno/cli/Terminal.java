package dev.jdyno.cli;

import java.io.Console;
import java.util.Optional;

/// Whether somebody sits at a terminal.
final class Terminal {
    private Terminal() {}

    /// Text that a terminal cuts at its right edge instead of wrapping (DECAWM off, then on again):
    /// what rewrites its own lines must know how many rows they take, however narrow the window is.
    static String unwrapped(String text) {
        return "\u001b[?7l" + text + "\u001b[?7h";
    }

    static boolean isInteractive() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }
}
