/// What changes give: how much at most, with which range, and for which kinds of change nothing is
/// predicted.
@NullMarked
package dev.jdyno.diagnose.gain;

import org.jspecify.annotations.NullMarked;
