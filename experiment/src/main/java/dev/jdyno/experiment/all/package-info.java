/// Runs all published experiments one after another, and writes each result as it ends.
@NullMarked
package dev.jdyno.experiment.all;

import org.jspecify.annotations.NullMarked;
