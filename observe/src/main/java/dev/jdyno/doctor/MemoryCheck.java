package dev.jdyno.doctor;

import dev.jdyno.measure.text.Bytes;
import java.util.regex.Pattern;

/// Checks the memory for the client (a few hundred megabytes) and for the processes it launches.
final class MemoryCheck implements Check {
    private static final Bytes LITTLE = Bytes.mebi(1024);
    private static final Bytes TOO_LITTLE = Bytes.mebi(300);

    // MemAvailable:   23674400 kB
    private static final Pattern AVAILABLE = Pattern.compile("(?m)^MemAvailable: +(\\d{1,15}) kB$");

    @Override
    public Finding check(Host host, CpuWindow window) {
        var m = AVAILABLE.matcher(host.text("proc/meminfo").orElse(""));
        if (!m.find()) {
            return Finding.unseen("memory", "no /proc/meminfo");
        }
        var free = new Bytes(Long.parseLong(m.group(1)) * 1024);
        String fix = "stop what holds memory, or launch the target with a smaller -Xmx";
        if (free.compareTo(TOO_LITTLE) < 0) {
            return Finding.bad("memory", free + " available: the target would swap or die", fix);
        }
        return free.compareTo(LITTLE) < 0
                ? Finding.note("memory", free + " available: little for a target", fix)
                : Finding.ok("memory", free + " available");
    }
}
