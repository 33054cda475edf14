/// Services with exactly one planted and labelled bottleneck each, by which the diagnosis is
/// judged. The names are those of docs/bottlenecks.md. A seed varies the parameters, so that rules
/// cannot be fitted to fixed figures.
@NullMarked
package dev.jdyno.lab.planted;

import org.jspecify.annotations.NullMarked;
