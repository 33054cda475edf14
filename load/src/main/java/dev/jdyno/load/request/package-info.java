/// What a session sends: its specification, and requests as bytes of either protocol.
@NullMarked
package dev.jdyno.load.request;

import org.jspecify.annotations.NullMarked;
