/// What observing costs the observed.
@NullMarked
package dev.jdyno.bench.observe;

import org.jspecify.annotations.NullMarked;
