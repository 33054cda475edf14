/// The frames and header blocks of HTTP/2 (RFC 9113), without connections.
@NullMarked
package dev.jdyno.load.http2;

import org.jspecify.annotations.NullMarked;
