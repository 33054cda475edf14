/// async-profiler inside the target.
@NullMarked
package dev.jdyno.observe.profiler;

import org.jspecify.annotations.NullMarked;
