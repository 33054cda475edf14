package dev.jdyno.lab.perf;

import dev.jdyno.lab.service.Page;
import dev.jdyno.lab.service.Query;
import dev.jdyno.lab.work.Burn;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// `/perf?cpu=MS&io=MS`: uses CPU time, then calls a service that answers after `io` (E1). Without
/// `io` it makes no call.
record PerfPage(Burn burn, DownstreamClient downstream) implements Page {
    @Override
    public String answer(Query query) throws IOException {
        double cpu = query.millis("cpu", 0);
        double io = query.millis("io", 0);
        burn.millis(cpu);
        if (io > 0) {
            downstream.await(io);
        }
        return "cpu=" + cpu + " io=" + io + "\n";
    }
}
