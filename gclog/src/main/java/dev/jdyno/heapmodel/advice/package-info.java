/// The heap for a goal, and what each size would cost.
@NullMarked
package dev.jdyno.heapmodel.advice;

import org.jspecify.annotations.NullMarked;
