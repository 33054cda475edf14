/// All published experiments, one after another, each kept as it ends.
@NullMarked
package dev.jdyno.experiment.all;

import org.jspecify.annotations.NullMarked;
