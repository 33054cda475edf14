/// The published experiments (E1–E26): what to start in the lab, which load to put on it, and the
/// published figures beside the measured ones. Judges nothing.
@NullMarked
package dev.jdyno.experiment;

import org.jspecify.annotations.NullMarked;
