package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;
import java.net.URI;

/// A client that writes its request in pieces and waits for the peer's delayed acknowledgement
/// before each one (Nagle's algorithm): 40 ms at any load.
final class NetworkNagle implements Case {
    @Override
    public Label label() {
        return Label.of(
                        "network-nagle",
                        "network",
                        20,
                        "127.0.0.1",
                        "requests to another service written in pieces: Nagle and delayed"
                                + " acknowledgements add 40 ms")
                .also("load");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int pieces = caseSetup.vary().between("pieces", 3, 6);
        URI downstream = caseSetup.startDownstream();
        PiecemealClients clients = caseSetup.closing(new PiecemealClients(downstream.getPort()));
        return caseSetup.serve(query -> {
            clients.call(pieces);
            return "ok\n";
        });
    }
}
