package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// A `synchronized` section that calls another service.
final class LockOverIo implements Case {
    private record Rates(DownstreamClient service) {
        synchronized void refresh(int millis) throws IOException {
            service.await(millis);
        }
    }

    @Override
    public Label label() {
        return Label.of(
                "lock-over-io",
                "lock",
                20,
                "Rates",
                "one synchronized method, held over a call to another service");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int millis = caseSetup.vary().between("heldMs", 4, 12);
        Rates rates = new Rates(caseSetup.downstream());
        return caseSetup.serve(query -> {
            rates.refresh(millis);
            return "ok\n";
        });
    }
}
