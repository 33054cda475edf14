/// Turns GC log lines into events and an analysis, for every HotSpot since JDK 6. Needs only the
/// files.
@NullMarked
package dev.jdyno.gclog;

import org.jspecify.annotations.NullMarked;
