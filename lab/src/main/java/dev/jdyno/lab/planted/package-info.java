/// Services with exactly one bottleneck each, planted on purpose and labelled: what a diagnosis is
/// judged by. The names are those of docs/bottlenecks.md; parameters vary with a seed, so that no
/// figure can be learnt by heart.
@NullMarked
package dev.jdyno.lab.planted;

import org.jspecify.annotations.NullMarked;
