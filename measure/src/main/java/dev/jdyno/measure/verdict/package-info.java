/// Conclusions from measurements: knee, demands, layers, bottleneck, recommendations, validity.
@NullMarked
package dev.jdyno.measure.verdict;

import org.jspecify.annotations.NullMarked;
