package dev.jdyno;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/// The classes of the tool for ArchUnit, without tests. Classes of libraries are known by name
/// only, because reading them takes most of the time and no rule needs their content.
final class OurClasses {
    private OurClasses() {}

    static JavaClasses imported() {
        // This class's folder holds the tests. The folder's name depends on the build.
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
