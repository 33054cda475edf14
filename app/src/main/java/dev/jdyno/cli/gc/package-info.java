/// `jdyno gc`: one log, many logs, a log that is being written.
@NullMarked
package dev.jdyno.cli.gc;

import org.jspecify.annotations.NullMarked;
