/// Changes one setting after the other where the diagnosis says, proves each by a comparison, and
/// keeps only those whose removal hurts.
@NullMarked
package dev.jdyno.tune;

import org.jspecify.annotations.NullMarked;
