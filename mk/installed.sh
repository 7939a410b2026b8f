#!/bin/sh
# installed.sh BUILD [uninstall]: says how programs find the library that `cmake --install BUILD` has just installed, or
# removes the files of that installation, which CMake listed in BUILD/install_manifest.txt. DESTDIR is used as by
# CMake.
set -eu
manifest=$1/install_manifest.txt
[ -f "$manifest" ] || { echo "make uninstall: $manifest is missing: 'make install' of this checkout writes it" >&2; exit 1; }

if [ "${2:-}" = uninstall ]; then
	# CMake ends the last line without a newline.
	while read -r file || [ -n "$file" ]; do
		rm -f "${DESTDIR:-}$file"
		# Folders that are empty now and are named after the library.
		case $file in */sluice/*) rmdir "${DESTDIR:-}${file%/*}" 2>/dev/null || : ;; esac
	done <"$manifest"
	echo "make uninstall: removed $(grep -c . "$manifest") files"
	rm "$manifest"
	exit 0
fi

libdir=$(sed -n 's,/libsluice\.so\.[0-9]*$,,p' "$manifest")
cat <<END

Installed into ${DESTDIR:-}$libdir. Programs find libsluice.so.* there
  - after 'ldconfig', run as root, if the folder is one of the system's (/etc/ld.so.conf.d);
  - or if they were linked with -Wl,-rpath,$libdir (CMake's find_package sets it in the build tree);
  - or with LD_LIBRARY_PATH=$libdir.
Compilers: pkg-config with PKG_CONFIG_PATH=$libdir/pkgconfig, CMake with -DCMAKE_PREFIX_PATH.
'make uninstall' removes the files again.
END
