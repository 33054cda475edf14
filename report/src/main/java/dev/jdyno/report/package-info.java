/// HTML, terminal and JSON forms of finished results. Computes no results.
@NullMarked
package dev.jdyno.report;

import org.jspecify.annotations.NullMarked;
