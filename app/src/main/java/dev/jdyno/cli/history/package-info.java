/// `jdyno history`: the stored results.
@NullMarked
package dev.jdyno.cli.history;

import org.jspecify.annotations.NullMarked;
