/// Sentences, names and figures as they are shown, for all three forms.
@NullMarked
package dev.jdyno.report.words;

import org.jspecify.annotations.NullMarked;
