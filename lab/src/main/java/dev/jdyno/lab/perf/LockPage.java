package dev.jdyno.lab.perf;

import dev.jdyno.lab.service.Page;
import dev.jdyno.lab.service.Query;
import dev.jdyno.lab.work.Burn;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// `/lock?ms=50&cpu=20&io=80[&burn=true]`: a critical section, then CPU time, then a call (E12).
/// One request at a time is in the section, for `ms`; it sleeps there, or uses CPU time with
/// `burn`.
final class LockPage implements Page {
    private final Object section = new Object();
    private final PerfPage rest;
    private final Burn burn;

    LockPage(Burn burn, DownstreamClient downstream) {
        this.burn = burn;
        this.rest = new PerfPage(burn, downstream);
    }

    @Override
    public String answer(Query query) throws IOException, InterruptedException {
        double held = query.millis("ms", 50);
        boolean burning = query.flag("burn");
        synchronized (section) {
            hold(held, burning);
        }
        return "lock=" + held + " " + rest.answer(query);
    }

    private void hold(double millis, boolean burning) throws InterruptedException {
        if (burning) {
            burn.millis(millis);
        } else {
            Thread.sleep(Math.round(millis));
        }
    }
}
