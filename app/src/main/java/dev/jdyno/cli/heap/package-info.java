/// `jdyno heap`: the heap model on the command line, for a log, a running JVM or given options.
@NullMarked
package dev.jdyno.cli.heap;

import org.jspecify.annotations.NullMarked;
