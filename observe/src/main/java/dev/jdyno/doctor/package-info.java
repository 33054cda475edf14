/// The checks of `jdyno doctor`, one file each. Each reads the machine and reports what is wrong
/// and how to fix it. They measure nothing of a target.
@NullMarked
package dev.jdyno.doctor;

import org.jspecify.annotations.NullMarked;
