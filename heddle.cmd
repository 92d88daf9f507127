@echo off
rem The heddle command from a checkout on Windows, as heddle does elsewhere: builds what it needs
rem the first time, and runs. Untested so far. It does not notice that sources have changed:
rem delete heddle-cli\target\built to build again. HEDDLE_OPTS holds further options for the JVM.
setlocal
set "home=%~dp0."
set "target=%home%\heddle-cli\target"
if not defined JAVA_HOME (
  for /f "delims=" %%J in ('where javac 2^>nul') do if not defined JAVA_HOME call :home "%%~dpJ.."
)
if not exist "%JAVA_HOME%\bin\javac.exe" (
  echo heddle: needs a JDK of version 25 or newer: install one, and set JAVA_HOME to it.>&2
  exit /b 1
)
set "modules=heddle-cli"
set "stamp=%target%\built"
if not "%~1"=="race" goto build
set "stamp=%target%\built-race"
for /d %%D in ("%home%\heddle-bench\drivers\*") do if exist "%%D\pom.xml" call :driver "%%~nxD"

:build
if exist "%stamp%" goto run
echo heddle: building for the first time, which takes a minute or two.>&2
if not exist "%target%" mkdir "%target%"
pushd "%home%"
call "%home%\mvnw.cmd" -B -Dmaven.test.skip=true -Dspotless.check.skip=true -pl %modules% -am package >"%target%\build.log" 2>&1
set "code=%ERRORLEVEL%"
popd
if not "%code%"=="0" (
  findstr /b /l /c:"[ERROR]" "%target%\build.log">&2
  echo heddle: the build failed: see above, or %target%\build.log>&2
  exit /b 1
)
type nul >"%stamp%"

:run
rem A command that is over in a moment gains from a quick start, the others from the best code.
set "quick=-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
for %%C in (serve load worker race) do if "%~1"=="%%C" set "quick="
"%JAVA_HOME%\bin\java.exe" %quick% %HEDDLE_OPTS% "-Dheddle.home=%home%" -cp "%target%\classes;%target%\lib\*" heddle.cli.Main %*
exit /b %ERRORLEVEL%

:home
set "JAVA_HOME=%~f1"
exit /b 0

:driver
set "modules=%modules%,heddle-bench/drivers/%~1"
exit /b 0
