/// A series of figures, one a run: when its level changed, and which single values stand out. Pure.
@NullMarked
package dev.jdyno.series;

import org.jspecify.annotations.NullMarked;
