/// What one user sends: one request again and again, or the steps of a journey with checks and
/// redirects.
@NullMarked
package dev.jdyno.load.journey;

import org.jspecify.annotations.NullMarked;
