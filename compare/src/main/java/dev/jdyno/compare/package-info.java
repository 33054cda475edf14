/// Compares two variants of a service side by side: which figures of B are better than A's, by how
/// much, and with what certainty. `trial` measures the blocks.
@NullMarked
package dev.jdyno.compare;

import org.jspecify.annotations.NullMarked;
