package dev.jdyno.warm;

/// An archive that the JVM writes when one run of the service ends, and that later starts read.
///
/// @param sinceJdk the first JDK that writes and reads it with these flags
/// @param writes flag that has it written, without the file
/// @param reads flag that has it read, without the file
/// @param file its name
record Archive(int sinceJdk, String writes, String reads, String file) {
    /// One run writes it (JEP 514, 515).
    static final Archive AOT = new Archive(25, "-XX:AOTCacheOutput=", "-XX:AOTCache=", "app.aot");

    /// The classes of an application (JEP 350).
    static final Archive CDS =
            new Archive(13, "-XX:ArchiveClassesAtExit=", "-XX:SharedArchiveFile=", "app.jsa");
}
