/// The requests of one user: one request repeatedly, or the steps of a journey with checks and
/// redirects.
@NullMarked
package dev.jdyno.load.journey;

import org.jspecify.annotations.NullMarked;
