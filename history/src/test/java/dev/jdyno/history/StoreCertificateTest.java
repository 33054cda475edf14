package dev.jdyno.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.measure.text.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A host that can impersonate the team's server would get the password and the results.
class StoreCertificateTest {
    /// Reaches the loopback device on Linux, but is no loopback address. So the rule treats it as
    /// another host.
    private static final String ELSEWHERE = "0.0.0.0";

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "postgresql://db/perf, verify-full",
        "postgresql://db/perf?connectTimeout=5, verify-full",
        "postgresql://db/perf?sslrootcert=/ca.pem, verify-full",
        "postgresql://10.0.0.7:5433/perf, verify-full",
        "postgresql://[2001:db8::1]/perf, verify-full",
        "postgresql://localhost.example.org/perf, verify-full",
        "postgresql://127.0.0.1.example.org/perf, verify-full",
        "postgresql://db/perf?application_name=sslmode, verify-full",
        "postgresql://db/perf?sslmode=require, ",
        "postgresql://db/perf?ssl=true, ",
        "postgresql://localhost/perf, ",
        "postgresql://127.0.0.1/perf, ",
        "postgresql://127.8.8.8/perf, ",
        "postgresql://[::1]/perf, "
    })
    void verifiesNameOfOtherHostUnlessUrlDisablesCheck(String url, String mode) {
        var server = (Store.Server) Store.parse(url, Optional.empty());

        assertThat(server.properties().getProperty("sslmode")).isEqualTo(mode);
    }

    @Test
    void plainTextToAnotherHostIsRefused() throws Exception {
        try (PostgresServer server = server()) {
            String url = server.url(ELSEWHERE);

            assertThatThrownBy(() -> open(url)).isInstanceOf(UserError.class);
            assertThat(open(url + "?sslmode=disable").count(Filter.ALL)).isZero();
        }
    }

    @Test
    void refusesUnsignedCertificate() throws Exception {
        try (PostgresServer server = server()) {
            Path certificate = server.encrypts(folder, ELSEWHERE);
            String url = server.url(ELSEWHERE);

            assertThatThrownBy(() -> open(url)).isInstanceOf(UserError.class);
            assertThat(open(url + "?sslmode=require").count(Filter.ALL)).isZero();
            assertThat(open(url + "?sslrootcert=" + certificate).count(Filter.ALL)).isZero();
        }
    }

    @Test
    void aCertificateOfAnotherNameIsRefused() throws Exception {
        try (PostgresServer server = server()) {
            Path certificate = server.encrypts(folder, "192.0.2.1");

            assertThatThrownBy(() -> open(server.url(ELSEWHERE) + "?sslrootcert=" + certificate))
                    .isInstanceOf(UserError.class);
        }
    }

    private static History open(String url) {
        return History.open(Store.parse(url, Optional.empty()));
    }

    private static PostgresServer server() throws Exception {
        Optional<PostgresServer> server = PostgresServer.start();
        assumeTrue(
                server.isPresent() && Files.isExecutable(Path.of("/usr/bin/openssl")),
                "SKIPPED: PostgreSQL or OpenSSL is not installed (apt-get install postgresql)");
        return server.orElseThrow();
    }
}
