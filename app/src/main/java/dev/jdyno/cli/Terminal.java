package dev.jdyno.cli;

import java.io.Console;
import java.util.Optional;

/// Whether somebody sits at a terminal.
final class Terminal {
    private Terminal() {}

    static boolean isInteractive() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }
}
