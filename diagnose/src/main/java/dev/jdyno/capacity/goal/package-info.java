/// The search for the highest rate under response-time goals: which rate to drive next, and what
/// the misses at each rate show. Its functions are pure: none sends a request.
@NullMarked
package dev.jdyno.capacity.goal;

import org.jspecify.annotations.NullMarked;
