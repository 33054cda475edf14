/// Turns evidence into a verdict and recommendations. Each bottleneck rule has its own file, with
/// named limits and a pure evaluate method. This package collects no data.
@NullMarked
package dev.jdyno.diagnose;

import org.jspecify.annotations.NullMarked;
