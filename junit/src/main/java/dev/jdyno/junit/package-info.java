/// A JUnit extension that measures a service with the `jdyno` command inside a test: the result as
/// a parameter, assertions on its figures, and an aborted test if the measurement cannot be
/// trusted.
@NullMarked
package dev.jdyno.junit;

import org.jspecify.annotations.NullMarked;
