module github.com/sluice-engine/sluice

go 1.25.0

toolchain go1.26.8

require (
	github.com/NVIDIA/go-nvml v0.13.0-1
	github.com/stretchr/testify v1.12.1
	golang.org/x/net v0.58.0
	golang.org/x/text v0.41.0
	google.golang.org/protobuf v1.36.12
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
