/// Completion scripts and the manual page, made from the model of the command line.
@NullMarked
package dev.jdyno.cli.completion;

import org.jspecify.annotations.NullMarked;
