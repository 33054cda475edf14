/// The terminal: progress, live lines, Ctrl-C, the form of the output.
@NullMarked
package dev.jdyno.cli.terminal;

import org.jspecify.annotations.NullMarked;
