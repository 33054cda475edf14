/// JMH and peer benchmarks, which measure speed so that tests need not.
@NullMarked
package dev.jdyno.bench;

import org.jspecify.annotations.NullMarked;
