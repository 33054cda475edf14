/// Probes, one file each. A probe states its requirements and its cost, and gives samples. A
/// missing probe is reported, never fatal. This package decides nothing.
@NullMarked
package dev.jdyno.observe;

import org.jspecify.annotations.NullMarked;
