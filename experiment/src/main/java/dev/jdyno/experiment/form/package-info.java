/// Experiments and the labelled benchmark as tables, as Markdown and as JSON.
@NullMarked
package dev.jdyno.experiment.form;

import org.jspecify.annotations.NullMarked;
