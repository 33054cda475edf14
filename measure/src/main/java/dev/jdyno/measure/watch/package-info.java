/// Values of watching a service for days: a minute, an event, a range of minutes.
@NullMarked
package dev.jdyno.measure.watch;

import org.jspecify.annotations.NullMarked;
