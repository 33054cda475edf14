/// Where threads and requests are: samples, places, holders, causes, the time of a request by
/// cause.
@NullMarked
package dev.jdyno.measure.thread;

import org.jspecify.annotations.NullMarked;
