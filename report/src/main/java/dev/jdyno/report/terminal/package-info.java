/// The report of a run on the terminal, and the safe output of text to a terminal.
@NullMarked
package dev.jdyno.report.terminal;

import org.jspecify.annotations.NullMarked;
