package dev.jdyno.cluster;

import dev.jdyno.cluster.key.PeerKey;
import java.net.InetSocketAddress;

/// The process that has invited a member.
///
/// @param at where it listens, which is where it came from
/// @param key that it has proved to have
record Founder(InetSocketAddress at, PeerKey key) {}
