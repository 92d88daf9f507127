@echo off
rem Runs the project's version of Maven on Windows, as mvnw does elsewhere. Untested so far.
rem Needs JAVA_HOME, or javac on the PATH, of a JDK 25 or newer. Maven 3.9 is taken from where it was put
rem before, from the PATH, or from the registry that MVNW_REPOURL names.
setlocal
set "root=%~dp0"
if not defined JAVA_HOME (
  for /f "delims=" %%J in ('where javac 2^>nul') do if not defined JAVA_HOME call :home "%%~dpJ.."
)
if not exist "%JAVA_HOME%\bin\javac.exe" (
  echo mvnw: needs a JDK of version 25 or newer: install one, and set JAVA_HOME to it.>&2
  exit /b 1
)
for /f "usebackq tokens=1,2 delims==" %%A in ("%root%.mvn\wrapper\maven-wrapper.properties") do (
  if "%%A"=="mavenVersion" set "version=%%B"
  if "%%A"=="distributionSha512" set "expected=%%B"
)
if not defined MAVEN_USER_HOME set "MAVEN_USER_HOME=%USERPROFILE%\.m2"
set "dists=%MAVEN_USER_HOME%\wrapper\dists"
set "mvn=%dists%\apache-maven-%version%\bin\mvn.cmd"
if not exist "%mvn%" if defined MVNW_REPOURL call :download
if not exist "%mvn%" (
  set "mvn="
  for /f "delims=" %%M in ('where mvn.cmd 2^>nul') do if not defined mvn set "mvn=%%M"
)
if not defined mvn (
  echo mvnw: install Maven 3.9, or set MVNW_REPOURL to the base URL of a Maven registry.>&2
  exit /b 1
)
set "MAVEN_OPTS=-XX:TieredStopAtLevel=1 --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED %MAVEN_OPTS%"
call "%mvn%" %*
exit /b %ERRORLEVEL%

:home
set "JAVA_HOME=%~f1"
exit /b 0

:download
set "archive=apache-maven-%version%-bin.tar.gz"
set "url=%MVNW_REPOURL%/org/apache/maven/apache-maven/%version%/%archive%"
echo mvnw: downloading Maven %version% (once) from MVNW_REPOURL>&2
if not exist "%dists%" mkdir "%dists%"
curl -fsSL -o "%dists%\%archive%" "%url%" || exit /b 1
for /f %%S in ('certutil -hashfile "%dists%\%archive%" SHA512 ^| findstr /r /i "^[0-9a-f][0-9a-f]*$"') do set "actual=%%S"
if /i not "%actual%"=="%expected%" (
  echo mvnw: %archive% is not the file that was expected: its SHA-512 is %actual%>&2
  del "%dists%\%archive%"
  exit /b 1
)
tar -xzf "%dists%\%archive%" -C "%dists%"
del "%dists%\%archive%"
exit /b 0
