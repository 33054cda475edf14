/// Measures the cost of load from other hosts, and how soon a load ends after its run is gone.
@NullMarked
package dev.jdyno.bench.cluster;

import org.jspecify.annotations.NullMarked;
