/// Options that several verbs share, and how their texts become values.
@NullMarked
package dev.jdyno.cli.options;

import org.jspecify.annotations.NullMarked;
