package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;

/// A container with too few threads for the waits of its requests.
final class ThreadPoolTomcat implements Case {
    @Override
    public Label label() {
        return Label.of(
                "thread-pool-tomcat",
                "thread-pool",
                20,
                "exec",
                "Tomcat with a few threads in front of a slow call");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int threads = caseSetup.vary().between("threads", 3, 6);
        int millis = caseSetup.vary().between("callMs", 35, 70);
        DownstreamClient downstream = caseSetup.downstream();
        return caseSetup.serve(
                caseSetup.tomcat().maxThreads(threads),
                query -> {
                    downstream.await(millis);
                    return "ok\n";
                });
    }
}
