package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Three services that are called sequentially and could be called in parallel (E13).
final class DownstreamSerial implements Case {
    private record Call(DownstreamClient service, int millis) {}

    @Override
    public Label label() {
        return Label.of(
                        "downstream-serial",
                        "downstream-serial",
                        8,
                        "127.0.0.1",
                        "three services called one after another")
                .also("load", "downstream");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        List<Call> calls = new ArrayList<>();
        for (String name : List.of("mallMs", "productMs", "goodsMs")) {
            calls.add(new Call(caseSetup.downstream(), caseSetup.vary().between(name, 20, 60)));
        }
        return caseSetup.serve(query -> {
            for (Call call : calls) {
                call.service().await(call.millis());
            }
            return "ok\n";
        });
    }
}
