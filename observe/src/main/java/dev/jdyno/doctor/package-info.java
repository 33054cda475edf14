/// The checks of `jdyno doctor`, one file each. Each reads the machine and reports what is wrong
/// and how to fix it. The checks do not measure a target.
@NullMarked
package dev.jdyno.doctor;

import org.jspecify.annotations.NullMarked;
