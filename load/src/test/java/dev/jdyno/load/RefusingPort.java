package dev.jdyno.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;

/// A port that refuses connections. A bound socket that does not listen holds it, so no other
/// process gets it meanwhile, as it could get a port that was only free a moment ago.
record RefusingPort(Socket holder) implements AutoCloseable {
    static RefusingPort bind() throws IOException {
        var holder = new Socket();
        holder.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
        return new RefusingPort(holder);
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + holder.getLocalPort() + "/");
    }

    @Override
    public void close() throws IOException {
        holder.close();
    }
}
