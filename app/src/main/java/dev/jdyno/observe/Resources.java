package dev.jdyno.observe;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.foreign.ForeignZip;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/// Files of some names on a class path of another process: in folders, in jars, in what the
/// manifests of jars name, in the folders of Spring Boot's archives and of web archives.
final class Resources {
    /// A class path longer than this is not searched to its end, which is said.
    static final int MOST_PLACES = 500;

    /// Files of one folder that are looked at.
    private static final int MOST_NAMES = 10_000;

    /// Where Spring Boot and web archives keep their resources.
    private static final List<String> FOLDERS =
            List.of("", "BOOT-INF/classes/", "WEB-INF/classes/");

    /// One that was found.
    ///
    /// @param name as the process sees it
    record Resource(String name, Content content) {}

    /// What stands in it.
    @FunctionalInterface
    interface Content {
        byte[] read() throws IOException;
    }

    /// What is there and cannot be looked into.
    record Unread(String name, String why) {}

    private final Function<String, Path> files;
    private final Collection<String> wanted;
    private final Map<String, Resource> found = new LinkedHashMap<>();
    private final List<Unread> unread = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    private Resources(Function<String, Path> files, Collection<String> wanted) {
        this.files = files;
        this.wanted = wanted;
    }

    /// @param files where we reach a path that the process sees
    /// @param places folders and archives; `lib/*` is every jar of that folder
    /// @param wanted names, as a class loader is asked for them
    static Resources in(
            Function<String, Path> files, List<String> places, Collection<String> wanted) {
        var resources = new Resources(files, wanted);
        Deque<String> ahead = new ArrayDeque<>(places);
        while (!ahead.isEmpty()) {
            String place = ahead.pop();
            if (!resources.seen.contains(place) && resources.seen.size() >= MOST_PLACES) {
                resources.unread.add(
                        new Unread(
                                place,
                                "the class path has more than "
                                        + MOST_PLACES
                                        + " places, of which the first were searched"));
                break;
            }
            if (resources.seen.add(place)) {
                // what a manifest names comes right after its jar
                resources.look(place).reversed().forEach(ahead::push);
            }
        }
        return resources;
    }

    /// The first one of that name.
    Optional<Resource> of(String name) {
        return Optional.ofNullable(found.get(name));
    }

    /// The first one of the first name that there is.
    Optional<Resource> firstOf(List<String> names) {
        return names.stream().flatMap(n -> of(n).stream()).findFirst();
    }

    List<Unread> unread() {
        return List.copyOf(unread);
    }

    /// @return further places
    private List<String> look(String place) {
        try {
            if (place.endsWith("*")) {
                return jars(place.substring(0, place.length() - 1));
            }
            Path path = files.apply(place);
            Optional<BasicFileAttributes> there = attributes(path);
            if (there.filter(BasicFileAttributes::isDirectory).isPresent()) {
                folder(place.endsWith("/") ? place : place + "/", path);
            } else if (there.filter(BasicFileAttributes::isRegularFile).isPresent()) {
                return archive(place, path);
            }
        } catch (IOException refused) {
            unread.add(new Unread(place, why(refused)));
        } catch (InvalidPathException noPath) {
            unread.add(new Unread(place, "no file can have this name"));
        }
        return List.of();
    }

    /// Empty where there is nothing.
    ///
    /// @throws IOException where there is something that cannot be looked at
    static Optional<BasicFileAttributes> attributes(Path path) throws IOException {
        try {
            return Optional.of(Files.readAttributes(path, BasicFileAttributes.class));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /// Java's own message of a file that may not be read is its name alone.
    static String why(IOException refused) {
        return refused instanceof AccessDeniedException
                ? "permission denied"
                : String.valueOf(refused.getMessage());
    }

    /// The names in a folder, sorted; none where there is no such folder.
    static List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        if (attributes(folder).isEmpty()) {
            return names;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (names.size() == MOST_NAMES) {
                    throw new IOException("more than " + MOST_NAMES + " files in one folder");
                }
                names.add(entry.getFileName().toString());
            }
        } catch (DirectoryIteratorException broken) {
            throw broken.getCause();
        }
        names.sort(Comparator.naturalOrder());
        return names;
    }

    private List<String> jars(String folder) throws IOException {
        return names(files.apply(folder.isEmpty() ? "." : folder)).stream()
                .filter(n -> n.endsWith(".jar"))
                .map(n -> folder + n)
                .toList();
    }

    private void folder(String place, Path path) throws IOException {
        for (String folder : FOLDERS) {
            if (attributes(path.resolve(folder)).isEmpty()) {
                continue;
            }
            for (String name : wanted) {
                Path file = path.resolve(folder + name);
                if (there(file)) {
                    found.putIfAbsent(
                            name,
                            new Resource(place + folder + name, () -> ForeignText.bytes(file)));
                }
            }
        }
    }

    /// A file that cannot be looked at is there: reading it will say why.
    private static boolean there(Path file) {
        try {
            return attributes(file).filter(BasicFileAttributes::isRegularFile).isPresent();
        } catch (IOException refused) {
            return true;
        }
    }

    /// @return what its manifest names
    private List<String> archive(String place, Path path) throws IOException {
        ForeignZip.requireUsual(path);
        try (var jar = new JarFile(path.toFile(), false)) {
            for (String folder : FOLDERS) {
                for (String name : wanted) {
                    ZipEntry entry = jar.getEntry(folder + name);
                    if (entry != null) {
                        found.putIfAbsent(
                                name,
                                new Resource(
                                        place + "!/" + entry.getName(),
                                        () -> entry(path, entry.getName())));
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

    private static byte[] entry(Path archive, String name) throws IOException {
        ForeignZip.requireUsual(archive);
        try (var jar = new JarFile(archive.toFile(), false)) {
            ZipEntry entry = jar.getEntry(name);
            if (entry == null) {
                throw new NoSuchFileException(name);
            }
            return ForeignZip.entry(jar, entry);
        }
    }

    /// `Class-Path: lib/a.jar lib/b%20c.jar file:/opt/d.jar`, from the folder of the jar.
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
