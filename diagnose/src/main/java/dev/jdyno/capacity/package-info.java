/// F1–F5, operational laws, queueing models and the decisions of the knee search. Pure: it sends no
/// request.
@NullMarked
package dev.jdyno.capacity;

import org.jspecify.annotations.NullMarked;
