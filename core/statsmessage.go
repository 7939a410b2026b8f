package core

import "google.golang.org/protobuf/encoding/protowire"

// StatsMessage returns Stats as a message sluice.v1.CompilerStats of protobuf; see include/sluice/v1/stats.proto. Go
// programs read it with package sluicev1.
func (c *Compiler) StatsMessage() []byte {
	s := c.Stats()
	return s.Message()
}

// Message returns the stats as a message sluice.v1.CompilerStats of protobuf.
//
// It encodes the message without generated code, whose runtime would add 2 MB to libsluice.so.
func (s *CompilerStats) Message() []byte {
	var m message
	m.part(1, s.Compilations.message())
	m.part(2, numbers(s.Cache.Hits, s.Cache.Misses, s.Cache.Joined, s.Cache.Evictions, uint64(s.Cache.Entries),
		uint64(s.Cache.Bytes), uint64(s.Cache.Limit)))
	m.number(3, s.Masks)
	m.part(4, s.MasksMade.message())
	m.part(5, s.Warmed.message())
	m.number(6, s.WarmedMasks)
	m.number(7, s.WarmDropped)
	m.number(8, s.ForcedBytes)
	for _, code := range refusals {
		var entry message
		entry.part(1, message(code.String()))
		entry.number(2, s.Refusals[code])
		m.part(9, entry)
	}
	m.part(10, numbers(uint64(s.Memory.States), uint64(s.Memory.Masks), uint64(s.Memory.Programs),
		uint64(s.Memory.TokenSets), uint64(s.Memory.Trie)))
	m.number(11, s.ForcedTokens)
	m.number(12, s.DraftedTokens)
	return m
}

func (h *Histogram) message() (m message) {
	var bounds, counts message
	for _, d := range h.Bounds {
		bounds = protowire.AppendVarint(bounds, uint64(d))
	}
	for _, n := range h.Counts {
		counts = protowire.AppendVarint(counts, n)
	}
	m.part(1, bounds)
	m.part(2, counts)
	m.number(3, h.Count)
	m.number(4, uint64(h.Sum))
	return m
}

// numbers returns a message with these fields, numbered from 1.
func numbers(list ...uint64) (m message) {
	for i, n := range list {
		m.number(protowire.Number(i+1), n)
	}
	return m
}

// message is a message in the wire format.
type message []byte

func (m *message) number(field protowire.Number, n uint64) {
	if n != 0 { // as protobuf leaves out the default
		*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), n)
	}
}

func (m *message) part(field protowire.Number, content message) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), content)
}
