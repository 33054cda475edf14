/// The one judgement: what a recording means, from the response-time breakdown of each round to the
/// recommendations. It is pure, and every verb that draws a conclusion uses it.
@NullMarked
package dev.jdyno.judge;

import org.jspecify.annotations.NullMarked;
