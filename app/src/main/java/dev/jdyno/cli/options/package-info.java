/// Options that several verbs share, and the conversion of their texts into values.
@NullMarked
package dev.jdyno.cli.options;

import org.jspecify.annotations.NullMarked;
