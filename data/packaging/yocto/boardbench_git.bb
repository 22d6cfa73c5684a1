SUMMARY = "Measure the peripherals of an embedded Linux board"
LICENSE = "MIT"
LIC_FILES_CHKSUM = "file://LICENSE;md5=3cc867c7ce48e3d4030e00748bba5d15"

# Where you keep the source, and the commit to build.
BOARDBENCH_SRC ?= "git:///srv/git/boardbench;protocol=file;branch=main"
SRC_URI = "${BOARDBENCH_SRC}"
SRCREV ?= "${AUTOREV}"
PV = "0.1.0+git${SRCPV}"
S = "${WORKDIR}/git"

DEPENDS = "jansson"

inherit meson pkgconfig

# The tests run on the machine that builds, so they are of no use here.
EXTRA_OEMESON = "-Dtests=disabled"

PACKAGECONFIG ??= "ui"
PACKAGECONFIG[ui] = "-Dui=enabled,-Dui=disabled,ncurses"
PACKAGECONFIG[builtin] = "-Dbuiltin_modules=true,-Dbuiltin_modules=false"

FILES:${PN} += "${libdir}/boardbench/modules ${datadir}/boardbench ${datadir}/bash-completion"
