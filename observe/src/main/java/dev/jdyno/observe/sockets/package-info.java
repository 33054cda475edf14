/// The sockets of the target: connections, callers and their peers, listen queues, ports.
@NullMarked
package dev.jdyno.observe.sockets;

import org.jspecify.annotations.NullMarked;
