/// Where the time of a request goes, by cause and place.
@NullMarked
package dev.jdyno.diagnose.breakdown;

import org.jspecify.annotations.NullMarked;
