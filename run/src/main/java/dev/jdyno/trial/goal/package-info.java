/// Results and costs of searches under response-time goals.
@NullMarked
package dev.jdyno.trial.goal;

import org.jspecify.annotations.NullMarked;
