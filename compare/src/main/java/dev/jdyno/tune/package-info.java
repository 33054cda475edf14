/// Changes settings one after the other as the diagnosis suggests, proves each by a comparison, and
/// keeps only those whose removal makes the service worse.
@NullMarked
package dev.jdyno.tune;

import org.jspecify.annotations.NullMarked;
