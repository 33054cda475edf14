/// Key pairs of Ed25519 (RFC 8032): what a process is known by, where each has one of its own.
@NullMarked
package dev.jdyno.cluster.key;

import org.jspecify.annotations.NullMarked;
