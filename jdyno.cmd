@echo off
rem Starts jdyno on Windows with the JDK 25 that JAVA_HOME names, or else that of the PATH. It reads files and stored results there;
rem load, diagnosis and agents need Linux.
setlocal
set "home=%~dp0.."
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
"%java%" -version >nul 2>&1
if errorlevel 1 (
  echo error: there is no Java at %java% 1>&2
  echo   why: jdyno runs on a JDK 25, and neither JAVA_HOME nor PATH has one 1>&2
  echo   fix: install a JDK 25 and set JAVA_HOME to its folder 1>&2
  exit /b 2
)
rem These change every JVM, and the user means that for services.
set JAVA_TOOL_OPTIONS=
set JDK_JAVA_OPTIONS=
set _JAVA_OPTIONS=
set CLASSPATH=
"%java%" -Xshare:auto -Xlog:disable "-Xlog:jfr*=error:stderr" -XX:+DisplayVMOutputToStderr -XX:+UseSerialGC "-Djdyno.home=%home%" %JDYNO_OPTS% -jar "%home%\lib\jdyno.jar" %*
exit /b %ERRORLEVEL%
