/// What shells and `man` need to know of the command line, made from its model.
@NullMarked
package dev.jdyno.cli.completion;

import org.jspecify.annotations.NullMarked;
