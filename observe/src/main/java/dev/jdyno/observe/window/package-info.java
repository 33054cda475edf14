/// One diagnostic window: thread samples, counters, sockets and queues of the same time, combined.
@NullMarked
package dev.jdyno.observe.window;

import org.jspecify.annotations.NullMarked;
