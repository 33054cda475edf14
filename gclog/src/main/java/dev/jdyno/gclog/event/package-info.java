/// The events of a GC log, the same for all HotSpot versions and collectors.
@NullMarked
package dev.jdyno.gclog.event;

import org.jspecify.annotations.NullMarked;
