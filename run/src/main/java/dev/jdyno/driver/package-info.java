/// Load that a program of the user sends. The program is started for each round, and its report is
/// read.
@NullMarked
package dev.jdyno.driver;

import org.jspecify.annotations.NullMarked;
