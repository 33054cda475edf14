/// The commands, one class each; exit codes; the terminal. No logic.
@NullMarked
package dev.jdyno.cli;

import org.jspecify.annotations.NullMarked;
