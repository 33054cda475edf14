package dev.jdyno.observe.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.State;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A thread that waits for the answer to a query shows its driver, which identifies the database.
/// Recommendations give commands for this database. No frame contains the SQL.
class DriverStacksTest {
    private static final List<String> READS =
            List.of(
                    "sun.nio.ch.SocketDispatcher.read0",
                    "sun.nio.ch.NioSocketImpl.implRead",
                    "java.net.Socket$SocketInputStream.read");

    private static final List<String> SERVED =
            List.of(
                    "com.zaxxer.hikari.pool.HikariProxyPreparedStatement.executeQuery",
                    "com.acme.Orders.find",
                    "org.apache.coyote.AbstractProcessorLight.process");

    private final StackClassifier classifier = new StackClassifier(Frames.builtIn());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PostgreSQL | org.postgresql.core.VisibleBufferedInputStream.readMore | org.postgresql.jdbc.PgPreparedStatement.executeQuery
                    MySQL      | com.mysql.cj.protocol.ReadAheadInputStream.fill         | com.mysql.cj.jdbc.ClientPreparedStatement.executeQuery
                    MariaDB    | org.mariadb.jdbc.client.socket.impl.PacketReader.readPacket | org.mariadb.jdbc.ClientPreparedStatement.executeQuery
                    H2         | org.h2.value.Transfer.readInt                           | org.h2.jdbc.JdbcPreparedStatement.executeQuery
                    Oracle     | oracle.net.nt.TimeoutSocketChannel.read                 | oracle.jdbc.driver.OraclePreparedStatement.executeQuery
                    SQL-Server | com.microsoft.sqlserver.jdbc.TDSChannel.read            | com.microsoft.sqlserver.jdbc.SQLServerPreparedStatement.executeQuery
                    """)
    void theDriversFramesNameTheDatabase(String database, String reads, String executes) {
        List<String> stack =
                Stream.of(READS, List.of(reads, executes), SERVED).flatMap(List::stream).toList();

        var doing =
                classifier
                        .classify(
                                new JavaThread(
                                        "http-1",
                                        1,
                                        State.RUNNABLE,
                                        Optional.empty(),
                                        stack,
                                        Optional.empty(),
                                        List.of()))
                        .doing()
                        .orElseThrow();

        assertThat(doing.cause()).isEqualTo(Cause.DATABASE);
        assertThat(doing.place())
                .isInstanceOfSatisfying(
                        Place.Peer.class, peer -> assertThat(peer.client()).contains(database));
    }
}
