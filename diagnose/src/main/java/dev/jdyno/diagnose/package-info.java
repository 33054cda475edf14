/// Turns evidence into a verdict and recommendations. Each rule for a bottleneck has its own file,
/// with named limits and an evaluate method that is a pure function. This package does not collect
/// data.
@NullMarked
package dev.jdyno.diagnose;

import org.jspecify.annotations.NullMarked;
