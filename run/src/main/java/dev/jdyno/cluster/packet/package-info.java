/// Limits which of JGroups' bytes become objects: bytes, empty messages, parts of them, lists of
/// sequence numbers, and the headers of the protocols of our stack. Each length is checked against
/// the bytes that are there before anything is allocated, and a peer cannot name a class.
@NullMarked
package dev.jdyno.cluster.packet;

import org.jspecify.annotations.NullMarked;
