/// A target on another host: what a trial asks of it goes as small JSON messages to an agent there,
/// which does all the probing and sends finished samples back. Knows nothing of how messages
/// travel.
@NullMarked
package dev.jdyno.inside.remote;

import org.jspecify.annotations.NullMarked;
