/// Probes: one file each, each says what it needs and what it costs, and yields samples. A missing
/// probe is reported, never fatal. Decides nothing.
@NullMarked
package dev.jdyno.observe;

import org.jspecify.annotations.NullMarked;
