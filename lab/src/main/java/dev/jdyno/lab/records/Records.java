package dev.jdyno.lab.records;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.jdyno.lab.service.Services;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Serialises and deserialises records, and prints the cost: one JSON object per line and format.
@Command(
        name = "records",
        mixinStandardHelpOptions = true,
        description = {
            "Encodes and decodes user records in every form and prints CPU, bytes and allocation, a",
            "JSON object a line."
        })
public final class Records implements Callable<Integer> {
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Option(
            names = "--users",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Records. (default: ${DEFAULT-VALUE})")
    private int users = 200_000;

    @Option(
            names = "--warm-ups",
            paramLabel = "N",
            defaultValue = "2",
            description = "Warm-up passes, which do not count. (default: ${DEFAULT-VALUE})")
    private int warmUps = 2;

    @Option(
            names = "--passes",
            paramLabel = "N",
            defaultValue = "5",
            description = "Passes whose mean is printed. (default: ${DEFAULT-VALUE})")
    private int passes = 5;

    /// Cost of passes over all records. CPU time is that of the whole process, because compilers
    /// and collector also work for the format.
    private record Cost(double cpuMs, long allocatedBytes) {
        private static final Cost NONE = new Cost(0, 0);

        private Cost plusSince(long cpuNanos, long allocated) {
            return new Cost(
                    cpuMs + (PROCESS.getProcessCpuTime() - cpuNanos) / 1e6,
                    allocatedBytes + THREADS.getCurrentThreadAllocatedBytes() - allocated);
        }
    }

    public static void main(String... args) {
        Services.main(new Records(), args);
    }

    @Override
    public Integer call() throws IOException {
        List<UserRecord> all = LongStream.range(0, users).mapToObj(UserRecord::of).toList();
        for (Form form : Form.values()) {
            measured(form, all, warmUps);
            System.out.println(measured(form, all, passes));
        }
        return 0;
    }

    private static String measured(Form form, List<UserRecord> all, int passes) throws IOException {
        Cost encode = Cost.NONE;
        Cost decode = Cost.NONE;
        long bytes = 0;
        for (int i = 0; i < passes; i++) {
            long cpu = PROCESS.getProcessCpuTime();
            long allocated = THREADS.getCurrentThreadAllocatedBytes();
            List<byte[]> encoded = form.encode(all);
            encode = encode.plusSince(cpu, allocated);
            cpu = PROCESS.getProcessCpuTime();
            allocated = THREADS.getCurrentThreadAllocatedBytes();
            List<UserRecord> decoded = form.decode(encoded);
            decode = decode.plusSince(cpu, allocated);
            if (!decoded.equals(all)) {
                throw new IllegalStateException(form + " gave other records than it was given");
            }
            bytes = encoded.stream().mapToLong(b -> b.length).sum();
        }
        return String.format(
                Locale.ROOT,
                "{\"form\":\"%s\",\"users\":%d,\"bytes\":%d,\"encodeCpuMs\":%.1f,\"decodeCpuMs\":%.1f,"
                        + "\"allocatedBytes\":%d}",
                form.name().toLowerCase(Locale.ROOT),
                all.size(),
                bytes,
                encode.cpuMs() / passes,
                decode.cpuMs() / passes,
                (encode.allocatedBytes() + decode.allocatedBytes()) / Math.max(1, passes));
    }
}
