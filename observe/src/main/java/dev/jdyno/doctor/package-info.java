/// What `jdyno doctor` looks at: one file a check, each reads the machine and says what is amiss
/// and how to fix it. Measures nothing of a target.
@NullMarked
package dev.jdyno.doctor;

import org.jspecify.annotations.NullMarked;
