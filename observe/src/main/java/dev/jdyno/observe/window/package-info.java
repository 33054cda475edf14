/// One diagnostic window: thread samples, counters, sockets and queues of the same time, added up.
@NullMarked
package dev.jdyno.observe.window;

import org.jspecify.annotations.NullMarked;
