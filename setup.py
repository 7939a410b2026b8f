"""Builds the wheel of sluice-engine: the Python files and libsluice.so, tagged for any Python 3 on this platform.

The library is built by capi/build.sh, or taken from SLUICE_LIBRARY. It is put into the wheel, never into the source
folder. The files of the folder that SLUICE_SBOMS names go to PEP 770's place for bills of materials.
"""

import os
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

NAME = "libsluice.so"
ROOT = Path(__file__).resolve().parent


def library() -> Path:
    """Returns the library's file, after building it if need be."""
    wanted = os.environ.get("SLUICE_LIBRARY")
    if wanted:
        return Path(wanted)
    subprocess.run(["sh", str(ROOT / "capi" / "build.sh"), str(ROOT / "build")], check=True)
    return ROOT / "build" / NAME


class BuildWithLibrary(build_py):
    """build_py that also puts the library into the package."""

    def run(self):
        shutil.rmtree(self.build_lib, ignore_errors=True)  # modules of an earlier commit
        super().run()
        if self.editable_mode:
            library()  # the package finds it in build/
        else:
            shutil.copy2(library(), Path(self.build_lib) / "sluice" / NAME)


class PlatformWheel(bdist_wheel):
    """A wheel for every Python 3, of this platform only: the library is native, the binding is ctypes."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]

    def egg2dist(self, egginfo_path, distinfo_path):
        super().egg2dist(egginfo_path, distinfo_path)
        sboms = os.environ.get("SLUICE_SBOMS")
        if sboms:
            shutil.copytree(sboms, Path(distinfo_path) / "sboms")


class SourceWithCommit(sdist):
    """A source distribution that knows which commit it is of: capi/build.sh reads the file."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        commit = os.environ.get("SLUICE_COMMIT")
        if not commit:
            command = ["git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"]
            commit = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
        if commit:
            (Path(base_dir) / "COMMIT").write_text(commit.strip() + "\n")


class NativeDistribution(Distribution):
    """A distribution that is installed in the folder of native code."""

    def has_ext_modules(self):
        return True


setup(
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel, "sdist": SourceWithCommit},
    distclass=NativeDistribution,
    options={"build": {"build_base": "build/python"}},
)
