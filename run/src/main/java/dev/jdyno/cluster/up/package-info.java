/// What all ways to bring agents up share: the user's client programs, the lines of an agent that
/// is ready, and the file that names what may be up.
@NullMarked
package dev.jdyno.cluster.up;

import org.jspecify.annotations.NullMarked;
