package dev.jdyno.observe.front;

import dev.jdyno.fuzz.Scratch;
import dev.jdyno.observe.host.SeenFiles;
import dev.jdyno.target.ProcFs;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// Configurations of nginx, Apache httpd and HAProxy. The first byte selects the server.
public final class FrontServerFuzz {
    private static final Scratch SCRATCH = new Scratch();

    private FrontServerFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] content = Arrays.copyOfRange(input, 1, input.length);
        var files = new SeenFiles(ProcFs.SYSTEM, ProcessHandle.current().pid());
        String main = SCRATCH.file("main.conf", content).toString();
        switch (input[0] % 3) {
            case 0 -> {
                var config = NginxConfig.read(files, main, "");
                config.upstreams().forEach(u -> config.all(u, "server"));
                config.number("events", "worker_connections");
            }
            case 1 ->
                    ApacheSettings.of(
                            ApacheConfig.read(
                                    files, main, SCRATCH.folder().toString(), Set.of("A")),
                            Set.of(8080));
            default ->
                    HaproxySettings.limits(
                            new String(content, StandardCharsets.ISO_8859_1), Set.of(8080));
        }
    }

    public static List<byte[]> seeds() {
        return List.of(
                        """
                        \0worker_processes auto;
                        events { worker_connections 3000; } # } ;
                        http { log_format f '{"a": "$uri"; }'; content_by_lua_block { if { 1 } end }
                          upstream "app" { server 127.0.0.1:8080 max_conns=100; keepalive 16; }
                          include main.conf; include [a-c]*.conf; include /nowhere/*; set $a ${b}c; }
                        """,
                        """
                        \1ServerRoot /nowhere
                        LoadModule mpm_event_module modules/mod_mpm_event.so
                        <IfModule mpm_event_module>
                          MaxRequestWorkers 150
                          ThreadsPerChild "25"
                        </IfModule>
                        <IfDefine !A>
                        Include main.conf
                        </IfDefine>
                        IncludeOptional conf.d/*.conf
                        ProxyPass "/a b" http://127.0.0.1:8080/ max=20
                        """,
                        """
                        \2global
                          maxconn 100 # all
                        defaults
                          maxconn 50
                        frontend f
                          default_backend b
                        backend b
                          server s 127.0.0.1:8080 maxconn 10
                        """)
                .stream()
                .map(s -> s.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
