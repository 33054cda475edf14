/// The load to hold: levels, rates and their arrival times, as values.
@NullMarked
package dev.jdyno.load.pacing;

import org.jspecify.annotations.NullMarked;
