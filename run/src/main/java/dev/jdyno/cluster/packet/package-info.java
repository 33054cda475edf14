/// What of JGroups' own bytes becomes objects: bytes, empty messages, parts of them, lists of
/// sequence numbers, and the headers of the protocols of our stack. Each length is checked against
/// the bytes that are there before anything is allocated, and no class is named by a peer.
@NullMarked
package dev.jdyno.cluster.packet;

import org.jspecify.annotations.NullMarked;
