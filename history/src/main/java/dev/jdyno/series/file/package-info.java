/// Reads a series of figures from a table or a JSON list that another tool wrote.
@NullMarked
package dev.jdyno.series.file;

import org.jspecify.annotations.NullMarked;
