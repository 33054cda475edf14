/// A series of figures, one per run: when its level changed, and which values are outliers. Pure.
@NullMarked
package dev.jdyno.series;

import org.jspecify.annotations.NullMarked;
