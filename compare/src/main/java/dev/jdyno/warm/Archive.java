package dev.jdyno.warm;

/// An archive that the JVM writes at the end of one run of the service, and that later starts read.
///
/// @param sinceJdk the first JDK that supports these flags
/// @param writes flag to write the archive, without the file
/// @param reads flag to read the archive, without the file
/// @param file file name of the archive
record Archive(int sinceJdk, String writes, String reads, String file) {
    /// AOT cache, written by one run (JEP 514, 515).
    static final Archive AOT = new Archive(25, "-XX:AOTCacheOutput=", "-XX:AOTCache=", "app.aot");

    /// CDS archive of the application's classes (JEP 350).
    static final Archive CDS =
            new Archive(13, "-XX:ArchiveClassesAtExit=", "-XX:SharedArchiveFile=", "app.jsa");
}
