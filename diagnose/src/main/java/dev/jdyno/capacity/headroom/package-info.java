/// How much more load a service can take, from its present load: the utilisation law, fitted to
/// windows of natural traffic. Pure: it sends no request.
@NullMarked
package dev.jdyno.capacity.headroom;

import org.jspecify.annotations.NullMarked;
