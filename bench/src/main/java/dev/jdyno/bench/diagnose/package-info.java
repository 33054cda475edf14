/// Other tools' answers to the recordings of the labelled benchmark.
@NullMarked
package dev.jdyno.bench.diagnose;

import org.jspecify.annotations.NullMarked;
