/// Load that a program of the user's sends: it is started for each round, and what it prints of its
/// requests is read.
@NullMarked
package dev.jdyno.driver;

import org.jspecify.annotations.NullMarked;
