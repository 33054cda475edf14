/// Methods that are timed at each call.
@NullMarked
package dev.jdyno.observe.stages;

import org.jspecify.annotations.NullMarked;
