// A module of its own, so that users of the library do not get github.com/daulet/tokenizers in their module graph.
module github.com/sluice-engine/sluice/tests/lab/roundtrip

go 1.25.0

toolchain go1.26.8

require (
	github.com/daulet/tokenizers v1.22.2
	github.com/sluice-engine/sluice v0.0.0
	github.com/stretchr/testify v1.12.1
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/net v0.58.0 // indirect
	golang.org/x/text v0.41.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace github.com/sluice-engine/sluice => ../../..
