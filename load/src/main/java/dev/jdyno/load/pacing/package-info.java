/// The load to hold, as values: levels, rates and arrival times.
@NullMarked
package dev.jdyno.load.pacing;

import org.jspecify.annotations.NullMarked;
