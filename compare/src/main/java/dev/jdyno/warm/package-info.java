/// How long a service takes until it is warm, and which changes shorten that: starts in turns, each
/// a fresh JVM under load, and ratios with intervals. `trial` measures the starts.
@NullMarked
package dev.jdyno.warm;

import org.jspecify.annotations.NullMarked;
