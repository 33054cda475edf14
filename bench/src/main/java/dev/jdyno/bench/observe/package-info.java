/// Measures the overhead of observation for the observed process.
@NullMarked
package dev.jdyno.bench.observe;

import org.jspecify.annotations.NullMarked;
