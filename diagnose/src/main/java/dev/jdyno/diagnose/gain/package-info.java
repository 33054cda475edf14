/// The gains of changes: their maximum, their range, and the kinds of change without a prediction.
@NullMarked
package dev.jdyno.diagnose.gain;

import org.jspecify.annotations.NullMarked;
