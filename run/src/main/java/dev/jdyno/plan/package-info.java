/// Converts YAML and the command line to a Plan. Every mistake is reported at once, with file, line
/// and key. Its only I/O is reading the plan.
@NullMarked
package dev.jdyno.plan;

import org.jspecify.annotations.NullMarked;
