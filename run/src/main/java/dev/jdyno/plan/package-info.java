/// YAML and command line to a Plan; every mistake is reported at once with file, line and key. Does
/// no I/O beyond reading the plan.
@NullMarked
package dev.jdyno.plan;

import org.jspecify.annotations.NullMarked;
