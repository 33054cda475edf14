/// A target on another host. A trial sends its requests as small JSON messages to an agent there,
/// which does all the probing and returns finished samples. This package does not depend on how
/// messages travel.
@NullMarked
package dev.jdyno.inside.remote;

import org.jspecify.annotations.NullMarked;
