package dev.jdyno.observe.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.observe.host.SeenFiles;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApacheSettingsTest {
    @TempDir Path root;

    private Optional<List<LayerLimit>> limits(String main, String... defined) throws IOException {
        Files.writeString(root.resolve("httpd.conf"), main);
        var files = new SeenFiles(ProcFs.SYSTEM, ProcessHandle.current().pid());
        var config =
                ApacheConfig.read(
                        files,
                        root.resolve("httpd.conf").toString(),
                        root.toString(),
                        Set.of(defined));
        assertThat(files.unread()).isEmpty();
        return ApacheSettings.of(config, Set.of(8080));
    }

    private double front(String main, String... defined) throws IOException {
        return limits(main, defined).orElseThrow().getFirst().atOnce();
    }

    @Test
    void readsLoadedModulesOfDebian() throws IOException {
        Files.createDirectory(root.resolve("mods-enabled"));
        Files.writeString(
                root.resolve("mods-enabled/mpm_event.load"),
                "LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so\n");
        Files.writeString(
                root.resolve("mods-enabled/mpm_event.conf"),
                """
                <IfModule mpm_event_module>
                	StartServers            2
                	ThreadsPerChild         25
                	MaxRequestWorkers       150
                </IfModule>
                <IfModule mpm_prefork_module>
                	MaxRequestWorkers       9
                </IfModule>
                """);

        assertThat(
                        limits(
                                        """
                                        IncludeOptional mods-enabled/*.load
                                        IncludeOptional mods-enabled/*.conf
                                        IncludeOptional none/of.these
                                        """)
                                .orElseThrow())
                .extracting(LayerLimit::layer, LayerLimit::atOnce, LayerLimit::from)
                .containsExactly(
                        tuple(
                                "Apache httpd in front",
                                150.0,
                                "MaxRequestWorkers 150 (6 x 25 threads)"));
    }

    @Test
    void capsWorkersByServerLimit() throws IOException {
        String event = "LoadModule mpm_event_module modules/mod_mpm_event.so\n";
        assertThat(front(event + "MaxRequestWorkers 3000\n")).isEqualTo(400);
        assertThat(front(event + "ServerLimit 120\nmaxrequestworkers 3000\n")).isEqualTo(3000);
        assertThat(front(event + "ThreadsPerChild 64\nMaxRequestWorkers 100\n")).isEqualTo(64);
        assertThat(front(event)).isEqualTo(400);
    }

    @Test
    void preforkHasAProcessForEachConnection() throws IOException {
        String prefork = "LoadModule mpm_prefork_module modules/mod_mpm_prefork.so\n";
        assertThat(front(prefork)).isEqualTo(256);
        assertThat(front(prefork + "ServerLimit 3000\nMaxClients 3000\n")).isEqualTo(3000);
        assertThat(front(prefork + "MaxClients 3000\n")).isEqualTo(256);
    }

    @Test
    void sectionsThatDoNotApplyAreLeftOut() throws IOException {
        String text =
                """
                LoadModule mpm_event_module m.so
                # MaxRequestWorkers 1
                <IfDefine small>
                  <IfModule mod_mpm_event.c>
                    MaxRequestWorkers 50
                  </IfModule>
                </IfDefine>
                <IfModule !event.c>
                  MaxRequestWorkers 25
                </IfModule>
                """;
        assertThat(front(text)).isEqualTo(400);
        assertThat(front(text, "small")).isEqualTo(50);
    }

    @Test
    void countsOpenConnectionsOfEachProcess() throws IOException {
        assertThat(
                        limits(
                                        """
                                        LoadModule mpm_worker_module m.so
                                        MaxRequestWorkers 100
                                        <VirtualHost *:80>
                                          ProxyPass /other http://127.0.0.1:80801/ max=1
                                          ProxyPass "/" \\
                                            "http://127.0.0.1:8080/" max=20 timeout=3
                                        </VirtualHost>
                                        """)
                                .orElseThrow())
                .extracting(LayerLimit::layer, LayerLimit::atOnce)
                .containsExactly(
                        tuple("Apache httpd in front", 100.0),
                        tuple("Apache httpd to the service", 80.0));
    }

    @Test
    void usesOnlyExplicitSettingsWithoutMpm() throws IOException {
        assertThat(limits("Listen 80\n")).isEmpty();
        assertThat(front("MaxRequestWorkers 30\n")).isEqualTo(30);
    }
}
