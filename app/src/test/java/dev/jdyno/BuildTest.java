package dev.jdyno;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// The artifacts that the build downloads.
class BuildTest {
    @Test
    void checksMavenBeforeRunning() throws IOException {
        var wrapper = new Properties();
        try (Reader file =
                Files.newBufferedReader(Path.of("..", ".mvn/wrapper/maven-wrapper.properties"))) {
            wrapper.load(file);
        }

        assertThat(URI.create(wrapper.getProperty("distributionUrl"))).hasScheme("https");
        assertThat(wrapper.getProperty("distributionSha256Sum")).matches("[0-9a-f]{64}");
    }

    /// The parts of one project must have one version: template compiler and runtime, JMH and its
    /// annotation processor. Different versions fail at run time, or unnoticed.
    @Test
    void partsOfOneProjectAreOfOneVersion() throws Exception {
        Map<String, Set<String>> versions = new TreeMap<>();
        List<String> poms = new ArrayList<>(List.of("pom.xml"));
        Modules.all().forEach(module -> poms.add(module + "/pom.xml"));
        for (String pom : poms) {
            var document =
                    DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(Path.of("..", pom).toFile());
            NodeList groups = document.getElementsByTagName("groupId");
            for (int i = 0; i < groups.getLength(); i++) {
                var of = (Element) groups.item(i).getParentNode();
                NodeList version = of.getElementsByTagName("version");
                if (version.getLength() > 0) {
                    versions.computeIfAbsent(groups.item(i).getTextContent(), _ -> new TreeSet<>())
                            .add(version.item(0).getTextContent());
                }
            }
        }

        assertThat(versions).containsKeys("gg.jte", "org.openjdk.jmh");
        // The project itself has its number and ${project.version}. Commons and Mojo are groups of
        // libraries and plugins that are released one by one.
        List.of("dev.jdyno", "org.apache.commons", "org.codehaus.mojo").forEach(versions::remove);
        assertThat(versions).allSatisfy((group, of) -> assertThat(of).as(group).hasSize(1));
    }
}
