package dev.jdyno.target;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import java.util.Optional;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/// The local JMX connector of a JVM. It listens on loopback for every user who may read the JVM's
/// agent properties, which contain its address. It runs from the start with
/// `-Dcom.sun.management.jmxremote`; no JVM can stop it again.
///
/// The JVM itself gives the address, and its answers are serialised Java. So the address must be a
/// stub of RMI (a name would be looked up, which can load anything), and every connection goes to
/// loopback. Of the classes in an answer, only those needed to read MBeans become objects (JEP
/// 290).
final class LocalConnector {
    private static final String ADDRESS = "com.sun.management.jmxremote.localConnectorAddress";
    private static final String PROTOCOL = "rmi";
    private static final String STUB = "/stub/";

    private static final int CONNECT_MS = 2000;

    private LocalConnector() {}

    /// Address of the connector; empty when the connector does not run.
    static Optional<String> address(Target target) throws InterruptedException {
        return Optional.ofNullable(target.jcmd().agentProperties().get(ADDRESS));
    }

    /// Starts it by attach; it then runs until the JVM ends.
    ///
    /// @throws dev.jdyno.measure.text.UserError when the JVM refuses
    static void start(Target target) throws InterruptedException {
        target.jcmd().run("ManagementAgent.start_local");
    }

    /// Connects. It waits without a limit if a JVM accepts and does not answer ({@link JmxSession}
    /// sets a limit).
    ///
    /// @throws IOException if the address is not that of a local connector, or it cannot be reached
    @SuppressWarnings("BanJNDI") // only addresses with a stub in them: no name is looked up
    static JMXConnector connect(String address) throws IOException {
        JMXServiceURL url = new JMXServiceURL(address);
        String path = url.getURLPath();
        if (!url.getProtocol().equals(PROTOCOL) || path == null || !path.startsWith(STUB)) {
            throw new IOException("its JMX address is none of a local connector");
        }
        requireLoopback(url.getHost());
        Guards.stand();
        return JMXConnectorFactory.connect(url);
    }

    private static void requireLoopback(String host) throws IOException {
        if (!host.isEmpty() && !InetAddress.getByName(host).isLoopbackAddress()) {
            throw new IOException("its JMX address is not on loopback: " + host);
        }
    }

    /// Guards of the whole process. Nothing else in jdyno uses RMI or reads serialised objects.
    private static final class Guards {
        private static final LoopbackSockets SOCKETS = new LoopbackSockets();

        /// @throws IOException if other guards are set already: then it is unknown what they allow
        static synchronized void stand() throws IOException {
            if (RMISocketFactory.getSocketFactory() == null) {
                RMISocketFactory.setSocketFactory(SOCKETS);
            }
            if (!ReadObjects.guardJvm() || !SOCKETS.equals(RMISocketFactory.getSocketFactory())) {
                throw new IOException(
                        "this JVM has another filter of serialised objects (jdk.serialFilter):"
                                + " nothing is read over JMX then");
            }
        }
    }

    /// The JVM chooses the address in a stub, which may be that of another host. A local connector
    /// listens on every address of its host, so loopback reaches it whatever the stub contains.
    private static final class LoopbackSockets extends RMISocketFactory {
        @Override
        public Socket createSocket(String host, int port) throws IOException {
            var socket = new Socket();
            try {
                socket.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
                return socket;
            } catch (IOException refused) {
                socket.close();
                throw refused;
            }
        }

        @Override
        public ServerSocket createServerSocket(int port) throws IOException {
            throw new IOException("nothing here is offered over RMI");
        }
    }
}
