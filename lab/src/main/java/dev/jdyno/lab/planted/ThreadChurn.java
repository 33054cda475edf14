package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.util.ArrayList;
import java.util.List;

/// New threads for each request.
final class ThreadChurn implements Case {
    @Override
    public Label label() {
        return Label.of(
                "thread-churn",
                "thread-churn",
                20,
                "",
                "each request starts threads of its own and waits for them");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int threadsEach = caseSetup.vary().between("threadsEach", 4, 10);
        return caseSetup.serve(query -> {
            List<Thread> started = new ArrayList<>();
            for (int i = 0; i < threadsEach; i++) {
                Thread thread = new Thread(() -> Garbage.allocate(1000, 100), "part");
                thread.start();
                started.add(thread);
            }
            for (Thread thread : started) {
                thread.join();
            }
            return "ok\n";
        });
    }
}
