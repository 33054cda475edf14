/// Finds out whether the service has become worse. It measures the service as on every other day,
/// or in turns with a pinned build, and judges each figure against its previous level. Prints
/// nothing.
@NullMarked
package dev.jdyno.guard;

import org.jspecify.annotations.NullMarked;
