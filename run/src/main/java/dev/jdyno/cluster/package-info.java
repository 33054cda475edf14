/// Processes on several hosts that work on one run: who they are, how they reach each other, what
/// they say. Every connection is TLS with both sides holding the same token; nothing an
/// unauthenticated peer sends gets further than the handshake. Roles are built on top, in packages
/// of their own.
@NullMarked
package dev.jdyno.cluster;

import org.jspecify.annotations.NullMarked;
