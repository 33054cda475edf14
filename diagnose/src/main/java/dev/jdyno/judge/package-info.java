/// The judgement of a recording, from the response-time breakdown of each round to the
/// recommendations. It is a pure function. All commands that draw conclusions use it.
@NullMarked
package dev.jdyno.judge;

import org.jspecify.annotations.NullMarked;
