package dev.jdyno.observe.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Frames below the proxy of a pooled connection belong to the query, whatever their classes.
class ProxiesTest {
    private static final String READ =
            "sun.nio.ch.Net.poll < sun.nio.ch.NioSocketImpl.park < sun.nio.ch.NioSocketImpl.implRead"
                    + " < java.net.Socket$SocketInputStream.read < ";

    private final StackClassifier classifier = new StackClassifier(Frames.builtIn());

    private Classified classified(String state, String stack) {
        return classifier.classify(
                new JavaThread(
                        "exec-1",
                        7,
                        ThreadDump.State.valueOf(state),
                        Optional.empty(),
                        List.of(
                                (stack + " < jakarta.servlet.http.HttpServlet.service")
                                        .split(" < ")),
                        Optional.empty(),
                        List.of()));
    }

    /// Stacks with the innermost frame first, as in dumps. The driver is an unknown one.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    com.acme.wire.Channel.receive < com.acme.wire.Statement.executeQuery < com.zaxxer.hikari.pool.ProxyPreparedStatement.executeQuery < com.zaxxer.hikari.pool.HikariProxyPreparedStatement.executeQuery < com.acme.Store.query
                    com.acme.wire.Channel.receive < com.acme.wire.Connection.commit < com.zaxxer.hikari.pool.ProxyConnection.commit < com.zaxxer.hikari.pool.HikariProxyConnection.commit < com.acme.Store.query
                    com.acme.wire.Channel.receive < org.apache.commons.dbcp2.DelegatingPreparedStatement.executeQuery < org.apache.commons.dbcp2.DelegatingPreparedStatement.executeQuery < com.acme.Store.query
                    com.acme.wire.Channel.receive < jdk.internal.reflect.DirectMethodHandleAccessor.invoke < java.lang.reflect.Method.invoke < org.apache.tomcat.jdbc.pool.StatementFacade$StatementProxy.invoke < jdk.proxy2.$Proxy12.executeQuery < com.acme.Store.query
                    com.acme.wire.Channel.receive < com.mchange.v2.c3p0.impl.NewProxyPreparedStatement.executeQuery < com.acme.Store.query
                    com.acme.wire.Channel.receive < io.agroal.pool.wrapper.PreparedStatementWrapper.executeQuery < com.acme.Store.query
                    com.acme.wire.Channel.receive < com.alibaba.druid.pool.DruidPooledPreparedStatement.executeQuery < com.acme.Store.query
                    com.acme.wire.Channel.receive < com.p6spy.engine.wrapper.PreparedStatementWrapper.executeQuery < com.zaxxer.hikari.pool.HikariProxyPreparedStatement.executeQuery < com.acme.Store.query
                    """)
    void attributesReadBelowProxyToItsCaller(String stack) {
        Classified query = classified("RUNNABLE", READ + stack);

        assertThat(query.doing().map(ThreadActivity::cause)).contains(Cause.DATABASE);
        assertThat(query.appFrame()).contains("com.acme.Store.query");
        assertThat(query.application())
                .allSatisfy(i ->
                        assertThat(query.thread().frames().get(i)).doesNotContain("com.acme.wire"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    DATABASE | SLEEPING | java.lang.Thread.sleep0 < java.lang.Thread.sleep < com.acme.wire.Channel.receive < com.zaxxer.hikari.pool.HikariProxyStatement.executeQuery < com.acme.Store.query
                    DATABASE | WAITING  | jdk.internal.misc.Unsafe.park < java.util.concurrent.CompletableFuture.get < jdk.internal.net.http.HttpClientImpl.send < com.acme.wire.Channel.receive < com.zaxxer.hikari.pool.HikariProxyStatement.executeQuery < com.acme.Store.query
                    CPU      | RUNNABLE | com.acme.wire.Rows.decode < com.zaxxer.hikari.pool.HikariProxyResultSet.next < com.acme.Store.query
                    POOL     | WAITING  | jdk.internal.misc.Unsafe.park < com.zaxxer.hikari.util.ConcurrentBag.borrow < com.zaxxer.hikari.pool.HikariPool.getConnection < net.ttddyy.dsproxy.proxy.DataSourceProxyLogic.invoke < com.acme.Store.query
                    """)
    void onlyReplyWaitBelowProxyIsDatabaseWait(Cause cause, String state, String stack) {
        Classified seen = classified(state, stack);

        assertThat(seen.doing().map(ThreadActivity::cause)).contains(cause);
        assertThat(seen.appFrame()).contains("com.acme.Store.query");
    }

    /// A call that the application makes while it has a connection is not a query.
    @ParameterizedTest
    @CsvSource({"com.acme.Rates.ask < com.acme.Store.query", "com.acme.wire.Channel.receive"})
    void classifiesReadOutsideProxyAsDownstreamCall(String stack) {
        assertThat(classified("RUNNABLE", READ + stack).doing().map(ThreadActivity::cause))
                .contains(Cause.DOWNSTREAM);
    }
}
