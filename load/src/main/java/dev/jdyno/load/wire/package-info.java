/// Byte streams to a server without blocking: plain sockets over epoll (through the
/// foreign-function interface) or java.nio, TLS over them, and why they fail. Knows nothing of HTTP
/// or of load.
@NullMarked
package dev.jdyno.load.wire;

import org.jspecify.annotations.NullMarked;
