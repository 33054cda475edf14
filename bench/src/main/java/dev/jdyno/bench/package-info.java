/// JMH and peer benchmarks: where speed is measured, so that tests need not.
@NullMarked
package dev.jdyno.bench;

import org.jspecify.annotations.NullMarked;
