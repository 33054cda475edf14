/// Starts the sample services of the module lab.
@NullMarked
package dev.jdyno.experiment.lab;

import org.jspecify.annotations.NullMarked;
