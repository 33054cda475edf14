/// The records everyone shares (Round, Latency, Breakdown, Verdict, …), their units, and the
/// statistics. Knows no other room.
@NullMarked
package dev.jdyno.measure;

import org.jspecify.annotations.NullMarked;
