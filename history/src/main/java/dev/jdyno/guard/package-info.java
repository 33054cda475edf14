/// Has the service become worse since yesterday? Measures it as on every other day, or in turns
/// with a pinned build, and judges each figure against the level that it had. Prints nothing.
@NullMarked
package dev.jdyno.guard;

import org.jspecify.annotations.NullMarked;
