/// Response-time breakdowns: the time of a request by cause and place.
@NullMarked
package dev.jdyno.diagnose.breakdown;

import org.jspecify.annotations.NullMarked;
