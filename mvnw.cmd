@echo off
rem Runs the project's version of Maven on Windows, as mvnw does elsewhere. Maven 3.9 is taken from
rem where it was put before, from the registry that MVNW_REPOURL names, or from the PATH.
setlocal
set "root=%~dp0"
call "%root%.mvn\find-jdk.cmd" mvnw
if errorlevel 1 exit /b 1
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
  for %%M in (mvn.cmd) do if not "%%~$PATH:M"=="" call :installed "%%~$PATH:M"
)
if not defined mvn (
  echo mvnw: install Maven 3.9, or set MVNW_REPOURL to the base URL of a Maven registry.>&2
  exit /b 1
)
set "MAVEN_OPTS=--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED %MAVEN_OPTS%"
set "MAVEN_OPTS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC %MAVEN_OPTS%"
set "MAVEN_OPTS=-XX:MetaspaceSize=256m -XX:ReservedCodeCacheSize=256m %MAVEN_OPTS%"
call "%mvn%" %*
exit /b %ERRORLEVEL%

rem Takes the Maven %1 if it is 3.9 or newer, but not 4: that is another program.
:installed
for /f "tokens=1-3" %%A in ('call "%~1" -v') do if "%%A %%B"=="Apache Maven" set "found=%%C"
for /f "tokens=1,2 delims=." %%A in ("%found%") do if "%%A"=="3" if %%B geq 9 set "mvn=%~1"
exit /b 0

:download
set "archive=apache-maven-%version%-bin.tar.gz"
set "registry=%MVNW_REPOURL%"
if "%registry:~-1%"=="/" set "registry=%registry:~0,-1%"
set "url=%registry%/org/apache/maven/apache-maven/%version%/%archive%"
echo mvnw: downloading Maven %version% (once) from MVNW_REPOURL>&2
if not exist "%dists%" mkdir "%dists%"
curl -fsSL -o "%dists%\%archive%" "%url%" || exit /b 1
for /f %%S in ('certutil -hashfile "%dists%\%archive%" SHA512 ^| findstr /r /i "^[0-9a-f][0-9a-f]*$"') do set "actual=%%S"
if /i not "%actual%"=="%expected%" (
  >&2 echo mvnw: %archive% is not the file that was expected: its SHA-512 is %actual%
  del "%dists%\%archive%"
  exit /b 1
)
tar -xzf "%dists%\%archive%" -C "%dists%"
del "%dists%\%archive%"
exit /b 0
