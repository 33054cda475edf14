/// What loading from other hosts costs, and how soon a load ends whose run is gone.
@NullMarked
package dev.jdyno.bench.cluster;

import org.jspecify.annotations.NullMarked;
