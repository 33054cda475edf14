import java.util.*;
import java.util.concurrent.*;
/** Churn SECONDS LIVE_MB RATE_MB_PER_S(0=max) HUMONGOUS(0/1) SYSTEMGC(0/1) */
public class Churn {
    static volatile Object sink;
    public static void main(String[] a) throws Exception {
        double seconds = Double.parseDouble(a[0]); int liveMb = Integer.parseInt(a[1]); int rate = Integer.parseInt(a[2]);
        boolean humongous = a[3].equals("1"), sysgc = a[4].equals("1");
        int threads = 2;
        long end = System.nanoTime() + (long) (seconds * 1e9);
        byte[][] live = new byte[liveMb * 64][];
        Thread[] ts = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int tt = t;
            ts[t] = new Thread(() -> {
                Random r = new Random(tt);
                ArrayDeque<byte[]> window = new ArrayDeque<>();
                long n = 0; long start = System.nanoTime(); long bytes = 0;
                while (System.nanoTime() < end) {
                    int size = 512 + r.nextInt(32000);
                    byte[] b = new byte[size]; bytes += size; n++;
                    sink = b;
                    if (n % 8 == 0) { window.add(b); if (window.size() > 400) window.poll(); }
                    if (n % 50 == 0 && live.length > 0) live[r.nextInt(live.length)] = new byte[16000];
                    if (humongous && n % 2000 == 0) sink = new byte[3_000_000];
                    if (sysgc && tt == 0 && n % 60000 == 0) System.gc();
                    if (rate > 0 && bytes > (System.nanoTime() - start) / 1e9 * rate * 1048576.0 / threads) { try { Thread.sleep(1); } catch (InterruptedException e) { return; } }
                }
            });
            ts[t].start();
        }
        for (Thread t : ts) t.join();
    }
}
