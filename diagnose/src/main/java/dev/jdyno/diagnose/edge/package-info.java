/// Bottlenecks at the edge: the load, the client, ports, the accept queue, the network.
@NullMarked
package dev.jdyno.diagnose.edge;

import org.jspecify.annotations.NullMarked;
