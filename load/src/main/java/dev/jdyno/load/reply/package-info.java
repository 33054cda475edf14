/// HTTP/1.x replies read byte by byte as they come (RFC 9112): where each ends, its status, whether
/// the connection may be used again. Knows nothing of sockets.
@NullMarked
package dev.jdyno.load.reply;

import org.jspecify.annotations.NullMarked;
