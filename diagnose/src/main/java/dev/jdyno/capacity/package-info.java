/// The laws of load (F1–F5), queueing models and the decisions of the knee search. All functions
/// are pure: none sends a request.
@NullMarked
package dev.jdyno.capacity;

import org.jspecify.annotations.NullMarked;
