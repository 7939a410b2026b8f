package vocab

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// FromFile reads a vocabulary from a file in any format of Read.
func FromFile(path string, o Options) (*Vocabulary, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Read(data, o) // checks the size again
}

// ReadFile returns the content of a regular file, at most one byte more than a vocabulary's may have.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, diag.Errorf(diag.IO, source, diag.Place{}, "%v", err)
	case info.IsDir():
		return nil, diag.Errorf(diag.IO, source, diag.Place{},
			"%s is a directory: name the tokenizer.json, tekken.json, tokenizer.model or .tiktoken file in it", path)
	case !info.Mode().IsRegular(): // checked before opening, which would block on a pipe
		return nil, diag.Errorf(diag.IO, source, diag.Place{},
			"%s is a pipe, a device or a socket: name a regular file, or read it and pass what is in it", path)
	case info.Size() > limits.VocabularyFile:
		return nil, diag.Errorf(diag.Limit, source, diag.Place{}, "%s has %d bytes: a vocabulary file may have %d",
			path, info.Size(), limits.VocabularyFile)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, diag.Errorf(diag.IO, source, diag.Place{}, "%v", err)
	}
	defer file.Close()
	data, err := readLimited(file, int(info.Size())+1)
	if err != nil {
		return nil, diag.Errorf(diag.IO, source, diag.Place{}, "%v", err)
	}
	return data, nil
}

// readLimited reads r, at most one byte more than a file may have. The first buffer has size room. Buffers double up
// to the limit, so they take at most twice the limit together.
func readLimited(r io.Reader, room int) ([]byte, error) {
	const most = limits.VocabularyFile + 1
	data := make([]byte, 0, min(max(room, 512), most))
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, nil
		case err != nil || len(data) == most:
			return data, err
		}
		if len(data) == cap(data) {
			room = 2 * cap(data)
			if room > most/2 {
				room = most
			}
			data = append(make([]byte, 0, room), data...)
		}
	}
}

// Read reads a vocabulary, compressed with gzip or not. The first bytes tell the format: tokenizer.json, tekken.json,
// a tiktoken rank file, a SentencePiece model, a saved compiler.
func Read(data []byte, o Options) (*Vocabulary, error) {
	data, err := Unpack(data)
	if err != nil {
		return nil, err
	}
	head := bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	head = bytes.TrimLeft(head[:min(len(head), 4096)], " \t\r\n")
	switch {
	case len(head) == 0:
		return nil, diag.Errorf(diag.Invalid, source, diag.Place{}, "the file is empty")
	case head[0] == '{':
		s, parts, err := jsonFile(data)
		switch {
		case err != nil:
			return nil, err
		case parts.model.to == 0 && parts.vocab.to > 0:
			return readTekken(s, parts, o)
		}
		return readTokenizerJSON(s, parts, o)
	case isSaved(data):
		return FromSaved(data, o)
	case IsSentencePiece(data):
		return FromSentencePiece(data, o)
	case isTiktoken(head):
		return FromTiktoken(data, o)
	}
	e := diag.Errorf(diag.Unsupported, source, diag.Place{},
		"the file is neither a tokenizer.json or tekken.json nor a SentencePiece model nor a tiktoken rank file: "+
			"give the bytes of each id as an array instead")
	e.Fragment = fragment(head)
	return nil, e
}

// Unpack returns the content of a file, gzipped or not. The error is Limit for more than a file may have.
func Unpack(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		if len(data) > limits.VocabularyFile {
			return nil, diag.Errorf(diag.Limit, source, diag.Place{},
				"a vocabulary file may have %d bytes, this one has %d", limits.VocabularyFile, len(data))
		}
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, diag.Errorf(diag.Invalid, source, diag.Place{},
			"the file begins like gzip but cannot be unpacked: %v", err)
	}
	out, err := readLimited(z, 1<<20)
	if err != nil {
		return nil, diag.Errorf(diag.Invalid, source, diag.Place{}, "the gzip file is damaged after %d bytes: %v",
			len(out), err)
	}
	if len(out) > limits.VocabularyFile {
		return nil, diag.Errorf(diag.Limit, source, diag.Place{},
			"the gzip file unfolds to more than the %d bytes that a vocabulary file may have", limits.VocabularyFile)
	}
	return out, nil
}
