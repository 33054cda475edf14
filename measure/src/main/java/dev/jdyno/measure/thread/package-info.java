/// Thread samples: places of threads and requests, holders, causes, the time of a request by cause.
@NullMarked
package dev.jdyno.measure.thread;

import org.jspecify.annotations.NullMarked;
