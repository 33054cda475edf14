/// The requests of a session: its specification, and the encoding for both protocols.
@NullMarked
package dev.jdyno.load.request;

import org.jspecify.annotations.NullMarked;
