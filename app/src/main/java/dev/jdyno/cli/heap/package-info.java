/// `jdyno heap`: the heap model asked from the command line, by a log, a running JVM or options.
@NullMarked
package dev.jdyno.cli.heap;

import org.jspecify.annotations.NullMarked;
