/// Ed25519 key pairs (RFC 8032), which identify processes that have keys of their own.
@NullMarked
package dev.jdyno.cluster.key;

import org.jspecify.annotations.NullMarked;
