/// Recordings as files: the stored form of values, writing and reading.
@NullMarked
package dev.jdyno.trial.recording;

import org.jspecify.annotations.NullMarked;
