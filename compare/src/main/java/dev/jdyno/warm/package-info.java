/// Measures how long a service takes to warm up, and which changes shorten that: starts in turns,
/// each in a fresh JVM under load, and ratios with intervals. `trial` measures the starts.
@NullMarked
package dev.jdyno.warm;

import org.jspecify.annotations.NullMarked;
