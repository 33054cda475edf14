/// The event loops: users, their connections over HTTP/1.1 and HTTP/2, and the time at which each
/// user sends.
@NullMarked
package dev.jdyno.load.loop;

import org.jspecify.annotations.NullMarked;
