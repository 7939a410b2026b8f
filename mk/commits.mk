# Subjects of commits: at most 70 characters, those from before the rule left out. Without a history there is nothing to
# check.
.PHONY: lint-commits
LINTS += lint-commits
lint-commits:
	@! git log --no-merges --since=2026-11-28T08:00:00Z --format='%h %s' 2>/dev/null | \
		awk '{ n = length($$0) - length($$1) - 1; if (n > 70) { print "a subject of " n " characters: " $$0; bad = 1 } } END { exit !bad }'
