/// Sentences, names and figures for the HTML, terminal and JSON forms of a report.
@NullMarked
package dev.jdyno.report.words;

import org.jspecify.annotations.NullMarked;
