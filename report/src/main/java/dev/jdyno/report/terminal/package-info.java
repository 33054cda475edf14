/// The report of a run on the terminal, and what may be written to one.
@NullMarked
package dev.jdyno.report.terminal;

import org.jspecify.annotations.NullMarked;
