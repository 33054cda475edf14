/// `jdyno guard`: checks whether a figure has become worse.
@NullMarked
package dev.jdyno.cli.guard;

import org.jspecify.annotations.NullMarked;
