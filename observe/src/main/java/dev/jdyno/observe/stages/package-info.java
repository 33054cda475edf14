/// Methods whose calls are timed.
@NullMarked
package dev.jdyno.observe.stages;

import org.jspecify.annotations.NullMarked;
