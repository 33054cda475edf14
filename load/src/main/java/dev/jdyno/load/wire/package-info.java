/// Non-blocking byte streams to a server: plain sockets over epoll (through the foreign-function
/// interface) or java.nio, TLS on top, and the reasons why they fail. Knows nothing of HTTP or of
/// load.
@NullMarked
package dev.jdyno.load.wire;

import org.jspecify.annotations.NullMarked;
