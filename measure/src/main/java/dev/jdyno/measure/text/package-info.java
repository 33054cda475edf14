/// Texts for people and texts read from them: units, errors, masked secrets, printable text.
@NullMarked
package dev.jdyno.measure.text;

import org.jspecify.annotations.NullMarked;
