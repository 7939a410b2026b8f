# core/sluicev1 is generated from include/sluice/v1 by pinned versions of protoc and of its plugin for Go.
#
#   make proto        writes the package
#   make lint-proto   the committed package is the output
LINTS += lint-proto
PROTOC_GEN_GO := google.golang.org/protobuf/cmd/protoc-gen-go

.PHONY: proto lint-proto
# The plugin is of the version in go.mod. $(1) is the folder to write to.
generate = @rm -rf build/proto && mkdir -p build/proto \
	&& $(GO) build -o build/proto/protoc-gen-go $(PROTOC_GEN_GO) \
	&& PATH="$(CURDIR)/build/proto:$$PATH" $(VENV)/bin/python -m grpc_tools.protoc -Iinclude \
		--go_out=$(1) --go_opt=module=github.com/sluice-engine/sluice include/sluice/v1/*.proto

proto: $(VENV)/.done
	$(call generate,.)

lint-proto: $(VENV)/.done
	$(call generate,build/proto)
	@cd build/proto && for f in core/*/*.pb.go; do \
		cmp -s $$f $(CURDIR)/$$f || { echo "$$f: run make proto" >&2; exit 1; }; \
	done
