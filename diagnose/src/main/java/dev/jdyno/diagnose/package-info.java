/// Evidence to verdict to recommendations: one file per bottleneck rule, each with named limits and
/// a pure evaluate. Collects nothing.
@NullMarked
package dev.jdyno.diagnose;

import org.jspecify.annotations.NullMarked;
