################################################################################
#
# boardbench
#
################################################################################

BOARDBENCH_VERSION = 0.1.0
# The directory with the source tree; or set BOARDBENCH_OVERRIDE_SRCDIR in local.mk.
BOARDBENCH_SITE = $(BR2_EXTERNAL)/boardbench
BOARDBENCH_SITE_METHOD = local
BOARDBENCH_LICENSE = MIT
BOARDBENCH_LICENSE_FILES = LICENSE
BOARDBENCH_DEPENDENCIES = host-pkgconf jansson
BOARDBENCH_CONF_OPTS = -Dtests=disabled

ifeq ($(BR2_PACKAGE_BOARDBENCH_UI),y)
BOARDBENCH_DEPENDENCIES += ncurses
BOARDBENCH_CONF_OPTS += -Dui=enabled
else
BOARDBENCH_CONF_OPTS += -Dui=disabled
endif

$(eval $(meson-package))
