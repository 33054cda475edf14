package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// One thread per connection waits in a socket read, but the called service has free capacity. From
/// inside it looks like [DownstreamSlots]; doubling the connections distinguishes them.
final class LoadManyThreads implements Case {
    @Override
    public Label label() {
        return Label.of(
                "load-many-threads",
                "load",
                20,
                "",
                "a slow call with room for more: only the connections are short");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int millis = caseSetup.vary().between("callMs", 40, 80);
        DownstreamClient downstream = caseSetup.downstream();
        return caseSetup.serve(query -> {
            downstream.await(millis);
            return "ok\n";
        });
    }
}
