/// Header blocks of HTTP/2 (HPACK, RFC 7541).
@NullMarked
package dev.jdyno.load.hpack;

import org.jspecify.annotations.NullMarked;
