/// Recordings as files: how values are stored, and read again.
@NullMarked
package dev.jdyno.trial.recording;

import org.jspecify.annotations.NullMarked;
