/// What is written for people and read from them: units, errors, masked secrets, printable text.
@NullMarked
package dev.jdyno.measure.text;

import org.jspecify.annotations.NullMarked;
