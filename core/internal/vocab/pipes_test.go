//go:build unix

package vocab

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// Reading a pipe would block, and a device has no end.
func TestFromFileNotRegular(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	for _, path := range []string{path, "/dev/null", "/dev/zero"} {
		_, err := FromFile(path, Options{})
		requireError(t, err, diag.IO, path+" is a pipe, a device or a socket", "regular file")
	}
}
