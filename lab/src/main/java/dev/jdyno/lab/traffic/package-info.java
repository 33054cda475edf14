/// A service for what happens between a client and a service: bodies of a size, operations that go
/// on after their reply.
@NullMarked
package dev.jdyno.lab.traffic;

import org.jspecify.annotations.NullMarked;
