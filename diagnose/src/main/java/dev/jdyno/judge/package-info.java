/// The one judgement: what a recording means, from the response-time breakdown of each round to the
/// recommendations. Pure; every verb that concludes anything asks it.
@NullMarked
package dev.jdyno.judge;

import org.jspecify.annotations.NullMarked;
