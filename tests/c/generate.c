/* A complete generation loop, as an engine would write it: compile a constraint once, then for every step fill the row,
 * choose one of the allowed tokens, and accept it, until the output has ended. The model is a random number generator, so
 * the output is nonsense, but valid. */
#include "support.h"

enum { MAX_STEPS = 4000 };

/* One constraint and a check of its output that is independent of the library. */
typedef struct {
  const char *name;
  uint32_t kind;
  const char *spec;
  int (*valid)(const char *text, size_t length);
} constraint;

/* unescape writes text without the \u00XX escapes that JSON allows for any character; a random model likes them. */
static void unescape(const char *text, char *to, size_t capacity) {
  size_t n = 0;
  for (unsigned code; *text != 0 && n + 1 < capacity; n++) {
    if (sscanf(text, "\\u%4x", &code) == 1) {
      to[n] = (char)code;
      text += 6;
    } else {
      to[n] = *text++;
    }
  }
  to[n] = 0;
}

static int is_person(const char *escaped, size_t length) {
  (void)length;
  unsigned age = 0;
  char name[64], text[4096];
  int end = 0;
  unescape(escaped, text, sizeof text);
  return sscanf(text, " { \"name\" : \"%8[a-z]\" , \"age\" : %u %n", name, &age, &end) == 2 && text[end] == '}' &&
         strlen(name) >= 2 && age <= 150;
}

static int is_date(const char *text, size_t length) {
  unsigned year, month, day;
  int end = 0;
  return sscanf(text, "%4u-%2u-%2u%n", &year, &month, &day, &end) == 3 && (size_t)end == length && length == 10;
}

static int is_sum(const char *text, size_t length) {
  /* number ("+" number)*, brackets balanced */
  int depth = 0;
  for (size_t i = 0; i < length; i++) {
    if (strchr("0123456789+()", text[i]) == NULL) {
      return 0;
    }
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth < 0) {
      return 0;
    }
  }
  return depth == 0 && length > 0 && text[length - 1] != '+' && text[0] != '+';
}

static int is_choice(const char *text, size_t length) {
  return (length == 3 && memcmp(text, "yes", 3) == 0) || (length == 2 && memcmp(text, "no", 2) == 0);
}

static const constraint constraints[] = {
    {"JSON Schema", SLUICE_KIND_JSON_SCHEMA,
     "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"pattern\":\"^[a-z]{2,8}$\"},"
     "\"age\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":150}},"
     "\"required\":[\"name\",\"age\"],\"additionalProperties\":false}",
     is_person},
    {"regular expression", SLUICE_KIND_REGEX, "\\d{4}-\\d{2}-\\d{2}", is_date},
    {"EBNF", SLUICE_KIND_EBNF, "root ::= root \"+\" term | term\nterm ::= [0-9]+ | \"(\" root \")\"\n", is_sum},
    {"choice", SLUICE_KIND_CHOICE, "[\"yes\",\"no\"]", is_choice},
};

/* generate runs one sequence to its end and returns its text. */
static size_t generate(sluice_grammar g, uint64_t seed, char *text, size_t capacity, int *steps) {
  sluice_matcher m = new_matcher(g);
  uint32_t row[WORDS], state = 0;
  size_t length = 0;
  for (*steps = 0; !(state & SLUICE_STATE_TERMINATED); ++*steps) {
    CHECK(*steps < MAX_STEPS);
    CHECK_STATUS(SLUICE_OK, sluice_matcher_fill(m, row, WORDS, NULL, &error));
    int32_t id = choose(row, &seed);
    CHECK(id >= 0);
    if (allowed(row, END_TOKEN) && (*steps > 60 || next_random(&seed) % 4 == 0)) {
      id = END_TOKEN; /* a model that tires of long outputs */
    }
    CHECK_STATUS(SLUICE_OK, sluice_matcher_accept(m, &id, 1, NULL, &error));
    if (id < 256) {
      text[length++] = (char)id;
    } else if (id != END_TOKEN) {
      length += (size_t)sprintf(text + length, "%s", long_tokens[id - 256]);
    }
    CHECK(length < capacity - 16);
    CHECK_STATUS(SLUICE_OK, sluice_matcher_state(m, &state, &error));
  }
  text[length] = 0;
  CHECK_STATUS(SLUICE_OK, sluice_matcher_free(m));
  return length;
}

int main(void) {
  sluice_compiler c = small_compiler();
  for (size_t i = 0; i < sizeof constraints / sizeof constraints[0]; i++) {
    sluice_grammar g = compile(c, constraints[i].kind, constraints[i].spec);
    for (uint64_t seed = 1; seed <= 25; seed++) {
      static char text[1 << 16];
      int steps = 0;
      size_t length = generate(g, seed * 7919, text, sizeof text, &steps);
      if (seed <= 2) {
        printf("%-18s %3d tokens  %s\n", constraints[i].name, steps, text);
      }
      if (!constraints[i].valid(text, length)) {
        fprintf(stderr, "%s: not valid: %s\n", constraints[i].name, text);
        return 1;
      }
    }
    sluice_grammar_facts facts = {.struct_size = sizeof facts};
    CHECK_STATUS(SLUICE_OK, sluice_grammar_info(g, &facts, &error));
    CHECK(facts.states > 0);
    CHECK_STATUS(SLUICE_OK, sluice_grammar_free(g));
  }
  CHECK_STATUS(SLUICE_OK, sluice_compiler_free(c));
  return 0;
}
