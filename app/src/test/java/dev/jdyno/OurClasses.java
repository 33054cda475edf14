package dev.jdyno;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/// The classes of the tool as ArchUnit sees them, without tests. Classes of libraries are known by
/// name only: to read them too takes most of the time, and no rule asks what is in them.
final class OurClasses {
    private OurClasses() {}

    static JavaClasses imported() {
        // this class's folder holds the tests; its name depends on the build
        String tests =
                OurClasses.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        return ArchConfiguration.withThreadLocalScope(configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .withImportOption(l -> !l.contains("-tests.jar"))
                    .withImportOption(l -> !l.contains("/test-classes/"))
                    .withImportOption(l -> !l.contains(tests))
                    .importPackages("dev.jdyno");
        });
    }
}
