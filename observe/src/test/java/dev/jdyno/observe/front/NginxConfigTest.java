package dev.jdyno.observe.front;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.observe.host.SeenFiles;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NginxConfigTest {
    @TempDir Path folder;

    private final SeenFiles files = new SeenFiles(ProcFs.SYSTEM, ProcessHandle.current().pid());

    private NginxConfig read(String main) throws IOException {
        return NginxConfig.read(files, write("nginx.conf", main), "");
    }

    private String write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text).toString();
    }

    @Test
    void directivesBelongToTheirBlocks() throws IOException {
        var config =
                read(
                        """
                        # worker_connections 1;
                        worker_processes auto;
                        events { worker_connections 3000; } # } ;
                        http { upstream "app" { server 127.0.0.1:8080 max_conns=100; keepalive 16; } }
                        """);

        assertThat(config.number("events", "worker_connections")).contains(3000L);
        assertThat(config.number("", "worker_processes")).isEmpty();
        assertThat(config.upstreams()).containsExactly("upstream app");
        assertThat(config.all("upstream app", "server").getFirst().argument("max_conns"))
                .contains("100");
        assertThat(config.number("upstream app", "keepalive")).contains(16L);
    }

    @Test
    void ignoresBracesInQuotesVariablesAndScripts() throws IOException {
        var config =
                read(
                        """
                        http {
                          log_format f '{"a": "$uri"; }' "it's }";
                          server { location / { content_by_lua_block { if x then y = { 1 } end } set $a ${b}c; } }
                          upstream app { server unix:/s; keepalive 7; }
                        }
                        events { worker_connections 5; }
                        """);

        assertThat(config.number("upstream app", "keepalive")).contains(7L);
        assertThat(config.number("events", "worker_connections")).contains(5L);
    }

    @Test
    void resolvesIncludesFromFolderOfMainFile() throws IOException {
        write("ev/10.conf", "worker_connections 700;");
        write("ev/.hidden.conf", "worker_connections 1;");
        write("sites/a/up.conf", "upstream a { server h:1; keepalive 1; }");
        write("sites/b/up.conf", "upstream b { server h:2; keepalive 2; }");

        var config = read("events { include ev/*.conf; } http { include sites/*/up.conf; }");

        assertThat(config.number("events", "worker_connections")).contains(700L);
        assertThat(config.upstreams()).containsExactly("upstream a", "upstream b");
        assertThat(files.unread()).isEmpty();
    }

    @Test
    void reportsMissingIncludeAndStopsAtRecursion() throws IOException {
        read("include gone.conf; include nginx.conf;");

        assertThat(files.unread()).isNotEmpty().allMatch(u -> u.contains("gone.conf: not there"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nginx: master process nginx -p /srv/x -c conf/a.conf | c | conf/a.conf",
                "nginx: master process nginx -p /srv/x -c conf/a.conf | p | /srv/x",
                "nginx: master process /usr/sbin/nginx -g daemon off; user x; -c /a | g | daemon off; user x;",
                "nginx: master process nginx -c/a.conf | c | /a.conf",
            })
    void readsConfigurationPathFromMasterProcess(String title, String option, String value) {
        assertThat(NginxSettings.option(title.strip(), option)).contains(value);
    }

    @Test
    void valuesMissingInCommandLineAreUnknown() {
        assertThat(NginxSettings.option("nginx: master process nginx", "c"))
                .isEqualTo(Optional.empty());
    }
}
