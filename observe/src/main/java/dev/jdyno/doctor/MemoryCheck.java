package dev.jdyno.doctor;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.observe.host.AvailableMemory;
import java.util.Optional;

/// Checks the memory for the client (a few hundred megabytes) and for the processes it launches.
final class MemoryCheck implements Check {
    private static final Bytes LITTLE = Bytes.mebi(1024);
    private static final Bytes TOO_LITTLE = Bytes.mebi(300);

    @Override
    public Finding check(Host host, CpuWindow window) {
        Optional<Bytes> available = host.text("proc/meminfo").flatMap(AvailableMemory::of);
        if (available.isEmpty()) {
            return Finding.unseen("memory", "no /proc/meminfo");
        }
        Bytes free = available.get();
        String fix = "stop what holds memory, or launch the target with a smaller -Xmx";
        if (free.compareTo(TOO_LITTLE) < 0) {
            return Finding.bad("memory", free + " available: the target would swap or die", fix);
        }
        return free.compareTo(LITTLE) < 0
                ? Finding.note("memory", free + " available: little for a target", fix)
                : Finding.ok("memory", free + " available");
    }
}
