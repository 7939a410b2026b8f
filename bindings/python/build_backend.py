"""The build backend of pyproject.toml: setuptools, after a check that a wheel can be built here at all.

Without it the missing Go command would be one line among sixty of a traceback of setuptools.
"""

from __future__ import annotations

import os
import shutil

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 # the hooks of PEP 517 and PEP 660

NO_GO = (
    "sluice-engine: Go is needed to build the library from source and was not found: install Go 1.21 or newer, which "
    "fetches the release that go.mod names, or install a wheel (manylinux_2_28, x86_64 or aarch64), which needs no Go"
)


def _check() -> None:
    if not os.environ.get("SLUICE_LIBRARY") and shutil.which(os.environ.get("GO", "go")) is None:
        raise SystemExit(NO_GO)


def get_requires_for_build_wheel(config_settings=None):
    _check()
    return build_meta.get_requires_for_build_wheel(config_settings)


def get_requires_for_build_editable(config_settings=None):
    _check()
    return build_meta.get_requires_for_build_editable(config_settings)
