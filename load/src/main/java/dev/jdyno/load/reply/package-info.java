/// Decodes HTTP/1.x replies while their bytes arrive (RFC 9112): where each reply ends, its status,
/// and whether the connection may be used again. Knows nothing of sockets.
@NullMarked
package dev.jdyno.load.reply;

import org.jspecify.annotations.NullMarked;
