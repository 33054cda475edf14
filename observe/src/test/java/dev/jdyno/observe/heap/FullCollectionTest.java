package dev.jdyno.observe.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.JvmMemory;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FullCollectionTest {
    private static final long KIB = 1024;

    private static final String SMAPS =
            """
            700000000-700400000 rw-p 00000000 00:00 0
            Size:               4096 kB
            Rss:                3000 kB
            Pss:                3000 kB
            7ff000000-800000000 ---p 00000000 00:00 0
            Rss:                 500 kB
            800000000-800c00000 rw-p 00000000 00:00 0
            Rss:                 700 kB
            7f8a4c000000-7f8a4c021000 r-xp 00000000 08:01 1234 /usr/lib/jvm/lib/server/libjvm.so
            Rss:                 132 kB
            ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]
            Rss:                   0 kB
            """;

    /// JDK 25, G1.
    private static final String G1 =
            """
            garbage-first heap   total reserved 6174720K, committed 387072K, used 90112K [0x0000000700000000, 0x0000000800000000)
             region size 2048K, 5 young (10240K), 1 survivors (2048K)
            Metaspace       used 23456K, committed 23808K, reserved 1114112K
             class space    used 2345K, committed 2496K, reserved 1048576K
            """;

    /// JDK 17, Serial.
    private static final String SERIAL =
            """
             def new generation   total 9216K, used 331K [0x0000000700000000, 0x0000000700a00000, 0x0000000755550000)
              eden space 8192K,   4% used [0x0000000700000000, 0x0000000700052f38, 0x0000000700800000)
              from space 1024K,   0% used [0x0000000700800000, 0x0000000700800000, 0x0000000700900000)
             tenured generation   total 10240K, used 1000K [0x0000000755550000, 0x0000000755f50000, 0x0000000800000000)
               the space 10240K,  10% used [0x0000000755550000, 0x00000007558fa1c8, 0x00000007558fa200, 0x0000000755f50000)
             Metaspace       used 5000K, committed 5248K, reserved 1114112K
            """;

    private static final String ZGC =
            """
            ZHeap           used 34M, capacity 256M, max capacity 4096M
            Metaspace       used 23456K, committed 23808K, reserved 1114112K
            """;

    @Test
    void memoryOutsideTheHeapIsThatOfOtherMappings() {
        assertThat(FullCollection.of(G1, SMAPS))
                .contains(new JvmMemory(90112 * KIB, (700 + 132) * KIB));
    }

    @Test
    void generationsAreAddedUp() {
        assertThat(FullCollection.of(SERIAL, SMAPS))
                .contains(new JvmMemory(1331 * KIB, (700 + 132) * KIB));
    }

    @Test
    void withoutTheRangeOfTheHeapOrTheMappingsNothingIsKnown() {
        assertThat(FullCollection.of(ZGC, SMAPS)).isEqualTo(Optional.empty());
        assertThat(FullCollection.of(G1, "")).isEmpty();
        assertThat(FullCollection.of("", SMAPS)).isEmpty();
    }
}
