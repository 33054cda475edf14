package dev.jdyno.observe.host;

import dev.jdyno.files.Handle;
import dev.jdyno.files.Stat;
import dev.jdyno.foreign.ForeignZip;
import dev.jdyno.target.TargetFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/// Finds files with given names on the class path of another process: in folders, in jars, in jars
/// that manifests name, and in the folders of Spring Boot's archives and of web archives.
public final class Resources {
    /// Maximum number of places that are searched; a longer class path is reported.
    public static final int MAX_PLACES = 500;

    /// Maximum size of an archive that is opened.
    private static final long MAX_ARCHIVE_BYTES = 1L << 30;

    /// Folders in which Spring Boot and web archives keep their resources.
    private static final List<String> FOLDERS =
            List.of("", "BOOT-INF/classes/", "WEB-INF/classes/");

    /// A file found in the process's resources.
    ///
    /// @param name path of the file as the process sees it
    public record Resource(String name, Content content) {}

    /// The content of the file.
    @FunctionalInterface
    public interface Content {
        byte[] read() throws IOException;
    }

    /// A place that exists and cannot be read.
    public record Unread(String name, String why) {}

    private final TargetFiles files;
    private final Collection<String> wanted;
    private final Map<String, Resource> found = new LinkedHashMap<>();
    private final List<Unread> unread = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    private Resources(TargetFiles files, Collection<String> wanted) {
        this.files = files;
        this.wanted = wanted;
    }

    /// @param files files by the paths that the process uses
    /// @param places folders and archives; `lib/*` is every jar of that folder
    /// @param wanted names, as passed to a class loader
    public static Resources in(TargetFiles files, List<String> places, Collection<String> wanted) {
        var resources = new Resources(files, wanted);
        Deque<String> ahead = new ArrayDeque<>(places);
        while (!ahead.isEmpty()) {
            String place = ahead.pop();
            if (!resources.seen.contains(place) && resources.seen.size() >= MAX_PLACES) {
                resources.unread.add(
                        new Unread(
                                place,
                                "the class path has more than "
                                        + MAX_PLACES
                                        + " places, of which the first were searched"));
                break;
            }
            if (resources.seen.add(place)) {
                // places named by a manifest follow directly after its jar
                resources.look(place).reversed().forEach(ahead::push);
            }
        }
        return resources;
    }

    /// The first file with that name.
    public Optional<Resource> of(String name) {
        return Optional.ofNullable(found.get(name));
    }

    /// The first file with the first name that exists.
    public Optional<Resource> firstOf(List<String> names) {
        return names.stream().flatMap(n -> of(n).stream()).findFirst();
    }

    public List<Unread> unread() {
        return List.copyOf(unread);
    }

    /// @return further places to search that this place names
    private List<String> look(String place) {
        try {
            if (place.endsWith("*")) {
                return jars(place.substring(0, place.length() - 1));
            }
            Optional<Stat> there = files.stat(place);
            if (there.filter(s -> s.kind() == Stat.Kind.FOLDER).isPresent()) {
                folder(place.endsWith("/") ? place : place + "/");
            } else if (there.filter(s -> s.kind() == Stat.Kind.FILE).isPresent()) {
                return archive(place);
            }
        } catch (IOException refused) {
            unread.add(new Unread(place, why(refused)));
        }
        return List.of();
    }

    /// The reason of a failure, in words. If permission is missing, Java's own message is only the
    /// name of the file.
    public static String why(IOException refused) {
        return refused instanceof AccessDeniedException
                ? "permission denied"
                : String.valueOf(refused.getMessage());
    }

    private List<String> jars(String folder) throws IOException {
        return files.names(folder.isEmpty() ? "." : folder).stream()
                .filter(n -> n.endsWith(".jar"))
                .map(n -> folder + n)
                .toList();
    }

    private void folder(String place) throws IOException {
        for (String folder : FOLDERS) {
            if (files.stat(place + folder).isEmpty()) {
                continue;
            }
            for (String name : wanted) {
                String file = place + folder + name;
                if (there(file)) {
                    found.putIfAbsent(name, new Resource(file, () -> files.text(file)));
                }
            }
        }
    }

    /// True if the file exists. A file that cannot be accessed counts as existing: reading it will
    /// give the reason.
    private boolean there(String file) {
        try {
            return files.isFile(file);
        } catch (IOException refused) {
            return true;
        }
    }

    /// @return class path entries named by the manifest of the archive
    private List<String> archive(String place) throws IOException {
        try (Handle file = files.open(place, MAX_ARCHIVE_BYTES);
                JarFile jar = opened(file)) {
            for (String folder : FOLDERS) {
                for (String name : wanted) {
                    ZipEntry entry = jar.getEntry(folder + name);
                    if (entry != null) {
                        found.putIfAbsent(
                                name,
                                new Resource(
                                        place + "!/" + entry.getName(),
                                        () -> entry(place, entry.getName())));
                    }
                }
            }
            ZipEntry manifest = jar.getEntry(JarFile.MANIFEST_NAME);
            return manifest == null
                    ? List.of()
                    : named(
                            place,
                            new Manifest(
                                    new ByteArrayInputStream(ForeignZip.entry(jar, manifest))));
        }
    }

    private static JarFile opened(Handle archive) throws IOException {
        ForeignZip.requireUsual(archive.path());
        return new JarFile(archive.path().toFile(), false);
    }

    private byte[] entry(String archive, String name) throws IOException {
        try (Handle file = files.open(archive, MAX_ARCHIVE_BYTES);
                JarFile jar = opened(file)) {
            ZipEntry entry = jar.getEntry(name);
            if (entry == null) {
                throw new NoSuchFileException(name);
            }
            return ForeignZip.entry(jar, entry);
        }
    }

    /// The jars and folders of a manifest's `Class-Path: lib/a.jar lib/b%20c.jar file:/opt/d.jar`,
    /// relative to the folder of the jar.
    private static List<String> named(String jar, Manifest manifest) {
        String value = manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
        if (value == null || value.isBlank()) {
            return List.of();
        }
        String folder = jar.substring(0, jar.lastIndexOf('/') + 1);
        List<String> places = new ArrayList<>();
        for (String word : value.strip().split("\\s+")) {
            String path = decoded(word);
            places.add(path.startsWith("/") ? path : folder + path);
        }
        return places;
    }

    private static String decoded(String url) {
        try {
            String path = URI.create(url).getPath();
            return path == null ? url : path;
        } catch (IllegalArgumentException noUrl) {
            return url;
        }
    }
}
