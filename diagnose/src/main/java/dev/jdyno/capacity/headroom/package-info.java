/// How much more a service will take, from the load that it has: the utilisation law, fitted to
/// windows of natural traffic. Pure: sends no request.
@NullMarked
package dev.jdyno.capacity.headroom;

import org.jspecify.annotations.NullMarked;
