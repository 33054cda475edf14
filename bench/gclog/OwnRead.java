import dev.jdyno.gclog.GcLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// Reads one GC log many times in one JVM with jdyno and prints the MB/s of each reading: `N FILE`.
public class OwnRead {
    public static void main(String[] args) throws Exception {
        Path log = Path.of(args[1]);
        for (int i = Integer.parseInt(args[0]); i > 0; i--) {
            long begin = System.nanoTime();
            GcLog.read(List.of(log), GcLog.Options.DEFAULT);
            double seconds = (System.nanoTime() - begin) / 1e9;
            System.out.printf(Locale.ROOT, "%.1f%n", Files.size(log) / 1e6 / seconds);
        }
    }
}
