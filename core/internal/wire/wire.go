// Package wire reads and writes messages of protobuf. It needs no generated code, whose runtime would add 2 MB to
// libsluice.so, and it reads bytes without a copy.
//
// Invariant: Fields reports every field of a message that it accepts, in order. Start reading at Fields.
package wire

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Message is a message to which fields are appended.
type Message []byte

// Number appends a number, unless it is 0, the default.
func (m *Message) Number(field protowire.Number, n uint64) {
	if n != 0 {
		*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), n)
	}
}

// Bytes appends bytes or a message within this one.
func (m *Message) Bytes(field protowire.Number, content []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), content)
}

// Packed appends numbers to m as a packed field, unless there are none.
func Packed[T ~int64 | ~uint64 | ~uint32](m *Message, field protowire.Number, numbers []T) {
	if len(numbers) == 0 {
		return
	}
	packed := make([]byte, 0, 3*len(numbers))
	for _, n := range numbers {
		packed = protowire.AppendVarint(packed, uint64(n))
	}
	m.Bytes(field, packed)
}

// The types of fields of numbers, and of bytes and messages.
const (
	Varint = protowire.VarintType
	Bytes  = protowire.BytesType
)

// Field is one field of a message.
type Field struct {
	Number protowire.Number
	Type   protowire.Type
	Value  uint64 // of a number
	Bytes  []byte // of anything else; a part of the message
	At     int    // offset of the content in the outermost message
}

// Error is a message that cannot be read.
type Error struct {
	At   int // offset in the outermost message
	What string
}

// Error returns the message with its place.
func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.At, e.What) }

// Fields calls f with each field of data, which begins at offset base of the outermost message, until f returns an
// error. Groups are refused. Fails with f's error or *Error.
func Fields(data []byte, base int, f func(*Field) error) error {
	var x Field
	for at := 0; at < len(data); {
		number, kind, n := protowire.ConsumeTag(data[at:])
		if n < 0 {
			return &Error{base + at, "the tag of a field is cut off or has no valid number"}
		}
		at += n
		x = Field{Number: number, Type: kind, At: base + at}
		switch kind {
		case protowire.VarintType:
			if x.Value, n = protowire.ConsumeVarint(data[at:]); n < 0 {
				return &Error{base + at, "a number is cut off or longer than 64 bits"}
			}
		case protowire.BytesType:
			if x.Bytes, n = protowire.ConsumeBytes(data[at:]); n < 0 {
				return &Error{base + at, "a field reaches beyond the end: the file is cut off"}
			}
			x.At += n - len(x.Bytes)
		case protowire.Fixed32Type, protowire.Fixed64Type:
			n = protowire.SizeFixed64()
			if kind == protowire.Fixed32Type {
				n = protowire.SizeFixed32()
			}
			if n > len(data)-at {
				return &Error{base + at, "a field reaches beyond the end: the file is cut off"}
			}
			x.Bytes = data[at : at+n]
		default:
			return &Error{base + at, "a field has an unknown wire type"}
		}
		at += n
		if err := f(&x); err != nil {
			return err
		}
	}
	return nil
}

// Numbers appends the numbers of a packed field to list. Fails with *Error if one is cut off or exceeds 32 bits, or if
// list would have more than most numbers.
func (x *Field) Numbers(list []uint32, most int) ([]uint32, error) {
	list = slices.Grow(list, min(len(x.Bytes), most)/2)
	for left := x.Bytes; len(left) > 0; {
		v, n := uint64(left[0]), 1
		if v >= 0x80 {
			v, n = protowire.ConsumeVarint(left)
		}
		if n < 0 || v > 1<<32-1 {
			return nil, &Error{x.At, "a list has a number that is cut off or longer than 32 bits"}
		}
		if len(list) == most {
			return nil, &Error{x.At, fmt.Sprintf("a list has more than %d numbers", most)}
		}
		list, left = append(list, uint32(v)), left[n:]
	}
	return list, nil
}
