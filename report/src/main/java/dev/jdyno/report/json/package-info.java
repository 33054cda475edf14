/// `result.json` and its parts, written and read.
@NullMarked
package dev.jdyno.report.json;

import org.jspecify.annotations.NullMarked;
