/// The published experiments (E1–E26): the services to start, the load for them, and the published
/// figures beside the measured ones. Judges no service.
@NullMarked
package dev.jdyno.experiment;

import org.jspecify.annotations.NullMarked;
