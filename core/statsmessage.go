package core

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/sluice-engine/sluice/core/internal/wire"
)

// StatsMessage returns Stats as a message sluice.v1.CompilerStats of protobuf; see include/sluice/v1/stats.proto. Go
// programs read it with package sluicev1.
func (c *Compiler) StatsMessage() []byte {
	s := c.Stats()
	return s.Message()
}

// Message returns the stats as a message sluice.v1.CompilerStats of protobuf.
func (s *CompilerStats) Message() []byte {
	var m wire.Message
	m.Bytes(1, s.Compilations.message())
	m.Bytes(2, numbers(s.Cache.Hits, s.Cache.Misses, s.Cache.Joined, s.Cache.Evictions, uint64(s.Cache.Entries),
		uint64(s.Cache.Bytes), uint64(s.Cache.Limit)))
	m.Number(3, s.Masks)
	m.Bytes(4, s.MasksMade.message())
	m.Bytes(5, s.Warmed.message())
	m.Number(6, s.WarmedMasks)
	m.Number(7, s.WarmDropped)
	m.Number(8, s.ForcedBytes)
	for _, code := range refusals {
		var entry wire.Message
		entry.Bytes(1, []byte(code.String()))
		entry.Number(2, s.Refusals[code])
		m.Bytes(9, entry)
	}
	m.Bytes(10, numbers(uint64(s.Memory.States), uint64(s.Memory.Masks), uint64(s.Memory.Programs),
		uint64(s.Memory.TokenSets), uint64(s.Memory.Trie)))
	m.Number(11, s.ForcedTokens)
	m.Number(12, s.DraftedTokens)
	return m
}

func (h *Histogram) message() (m wire.Message) {
	wire.Packed(&m, 1, h.Bounds)
	wire.Packed(&m, 2, h.Counts)
	m.Number(3, h.Count)
	m.Number(4, uint64(h.Sum))
	return m
}

// numbers returns a message with these fields, numbered from 1.
func numbers(list ...uint64) (m wire.Message) {
	for i, n := range list {
		m.Number(protowire.Number(i+1), n)
	}
	return m
}
