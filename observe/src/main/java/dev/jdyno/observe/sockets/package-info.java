/// The sockets of the target: connections, who calls whom, listen queues, ports.
@NullMarked
package dev.jdyno.observe.sockets;

import org.jspecify.annotations.NullMarked;
