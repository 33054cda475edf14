package dev.jdyno.cluster;

import dev.jdyno.cluster.key.PeerKey;
import java.net.InetSocketAddress;

/// The process that has invited a member.
///
/// @param at address at which it listens; its invitation came from that host
/// @param key key that it has proved to have
record Founder(InetSocketAddress at, PeerKey key) {}
