package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The catalog from which JBang starts jdyno, and the template from which a release publishes one.
class JBangCatalogTest {
    private static final Path ROOT = Path.of("..");

    private static String pom(String path) throws Exception {
        var pom =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(ROOT.resolve("pom.xml").toFile());
        return XPathFactory.newInstance().newXPath().evaluate("/project/" + path, pom);
    }

    private static JsonNode catalog() throws IOException {
        return json(Files.readString(ROOT.resolve("jbang-catalog.json")));
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private static String version() throws Exception {
        return pom("version").replace("-SNAPSHOT", "");
    }

    private static String at(Object yaml, String... keys) {
        @Nullable Object node = yaml;
        for (String key : keys) {
            node = node instanceof Map<?, ?> map ? map.get(key) : null;
        }
        assertThat(node).as(String.join(".", keys)).isInstanceOf(String.class);
        return String.valueOf(node);
    }

    @Test
    void everyAliasRunsTheJarOfTheReleaseOnAJdkOfTheBuild() throws Exception {
        String version = version();
        String jar =
                pom("properties/release.url")
                        + ("/releases/download/v" + version)
                        + ("/jdyno-" + version + ".jar");
        String jdk = pom("properties/maven.compiler.release") + "+";
        JsonNode aliases = catalog().path("aliases");

        assertThat(aliases.propertyNames()).containsExactlyInAnyOrder("jdyno", "demo");
        for (JsonNode alias : aliases) {
            assertThat(alias.path("script-ref").asString()).isEqualTo(jar);
            assertThat(alias.path("java").asString()).isEqualTo(jdk);
        }
    }

    @Test
    void theAliasDemoStartsTheVerbDemo() throws Exception {
        JsonNode aliases = catalog().path("aliases");
        String[] words =
                aliases.path("demo")
                        .path("arguments")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toArray(String[]::new);

        assertThat(Verbs.whole().parseArgs(words).subcommand().commandSpec().userObject())
                .isInstanceOf(DemoCommand.class);
        assertThat(aliases.path("jdyno").has("arguments")).isFalse();
    }

    @Test
    void aReleasePublishesTheSameCatalog() throws Exception {
        Object release =
                new Load(LoadSettings.builder().build())
                        .loadFromString(Files.readString(ROOT.resolve("jreleaser.yml")));
        String[] jbang = {"distributions", "jdyno-jar", "jbang", "templateDirectory"};
        Path template = ROOT.resolve(at(release, jbang)).resolve("jbang-catalog.json.tpl");
        Map<String, String> values =
                Map.of(
                        "jbangAliasName",
                        at(release, "distributions", "jdyno-jar", "jbang", "alias"),
                        "repoOwner",
                        at(release, "release", "github", "owner"),
                        "repoName",
                        at(release, "release", "github", "name"),
                        "tagName",
                        at(release, "release", "github", "tagName"),
                        "projectDescription",
                        at(release, "project", "description"));
        String text = Files.readString(template);
        for (var value : values.entrySet()) {
            text = text.replace("{{" + value.getKey() + "}}", value.getValue());
        }
        // the name of the release tag contains this placeholder, too
        text = text.replace("{{projectVersion}}", version());

        assertThat(text).doesNotContain("{{");
        assertThat(json(text)).isEqualTo(catalog());
    }
}
