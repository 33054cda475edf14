/// Processes on several hosts that work on one run: their identities, connections and messages.
/// Every connection is TLS, and both sides authenticate by the same token or by their own keys.
/// Input of an unauthenticated peer never gets further than the handshake. Roles are built on top,
/// in packages of their own.
@NullMarked
package dev.jdyno.cluster;

import org.jspecify.annotations.NullMarked;
