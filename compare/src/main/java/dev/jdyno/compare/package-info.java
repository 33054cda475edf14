/// Two variants of a service side by side: which figure of B is better than A's, by how much, and
/// how sure that is. Pure: `trial` measures the blocks.
@NullMarked
package dev.jdyno.compare;

import org.jspecify.annotations.NullMarked;
