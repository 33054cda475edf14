/// The search for the highest rate under response-time goals: which rate to drive next, and what
/// the misses at each rate show. Pure: it sends no request.
@NullMarked
package dev.jdyno.capacity.goal;

import org.jspecify.annotations.NullMarked;
