package dev.jdyno.cluster;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;

/// One process of the group, as this process sees it.
///
/// @param heardNanos time of its last message, on our clock
record Peer(
        Member member,
        Address address,
        ClockOffset clock,
        Lateness lateness,
        AtomicLong heardNanos) {

    static Peer of(Member member, Address address, long nowNanos) {
        return new Peer(
                member, address, new ClockOffset(), new Lateness(), new AtomicLong(nowNanos));
    }

    /// @param listeningSince instant since which this process could have heard it
    boolean isSilent(long nowNanos, long listeningSince, Duration limit) {
        return nowNanos - Math.max(heardNanos.get(), listeningSince) > limit.toNanos();
    }
}
