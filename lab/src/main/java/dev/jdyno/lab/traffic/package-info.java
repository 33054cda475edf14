/// A service for experiments on the path between client and service: bodies of a given size, and
/// operations that continue after their reply.
@NullMarked
package dev.jdyno.lab.traffic;

import org.jspecify.annotations.NullMarked;
