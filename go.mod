module github.com/sluice-engine/sluice

go 1.26.8
