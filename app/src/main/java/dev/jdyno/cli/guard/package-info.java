/// `jdyno guard`: has a figure become worse?
@NullMarked
package dev.jdyno.cli.guard;

import org.jspecify.annotations.NullMarked;
