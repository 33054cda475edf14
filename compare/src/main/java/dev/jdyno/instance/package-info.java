/// The smallest instance of a service that holds a rate under goals: its CPU limit and its memory
/// limit. A model proposes a size, each size is verified in a control group, and {@link
/// dev.jdyno.instance.SizeSearch} decides which one comes next.
@NullMarked
package dev.jdyno.instance;

import org.jspecify.annotations.NullMarked;
