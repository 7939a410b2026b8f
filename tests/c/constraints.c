/* Facts about constraints for programs: notes, errors and the table of capabilities, as data. */
#include "support.h"

static sluice_compiler compiler;

/* length_is tells whether a text member holds exactly a text. */
static int is(const char *member, uint32_t length, const char *text) {
  return length == strlen(text) && strcmp(member, text) == 0;
}

/* compile_with compiles a schema with options and returns the status. */
static sluice_status compile_with(const char *schema, const char *options, sluice_grammar *g) {
  return sluice_grammar_compile(compiler, SLUICE_KIND_JSON_SCHEMA, schema, strlen(schema), options, strlen(options), g,
                                &error);
}

/* find_note looks for a note with an effect and leaves it in note. */
static int find_note(sluice_grammar g, uint32_t effect, sluice_note *note) {
  sluice_grammar_facts facts = {.struct_size = sizeof facts};
  CHECK_STATUS(SLUICE_OK, sluice_grammar_info(g, &facts, &error));
  for (uint32_t i = 0; i < facts.n_notes; i++) {
    *note = (sluice_note){.struct_size = sizeof *note};
    CHECK_STATUS(SLUICE_OK, sluice_grammar_note(g, i, note, &error));
    CHECK(note->text_length > 0 && strlen(note->text) == note->text_length);
    if (note->effect == effect) {
      return 1;
    }
  }
  return 0;
}

static void test_notes(void) {
  sluice_grammar g = 0;
  sluice_note note;
  CHECK_STATUS(SLUICE_OK, compile_with("{\"type\": \"integer\"}", "", &g));
  CHECK(!find_note(g, 0, &note)); /* exact: no note at all */
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_grammar_note(g, 0, &note, &error));

  const char *schema = "{\"properties\": {\"a/b\": {\"type\": \"string\", \"format\": \"no-such-format\"}}}";
  CHECK_STATUS(SLUICE_OK, compile_with(schema, "", &g));
  CHECK(find_note(g, SLUICE_EFFECT_IGNORED, &note));
  CHECK(is(note.pointer, note.pointer_length, "/properties/a~1b/format"));
  CHECK(is(note.keyword, note.keyword_length, "format"));
  CHECK(!find_note(g, SLUICE_EFFECT_WIDER, &note));

  /* Each construct that lenient leaves out has a note at the place of the error without it. */
  schema = "{\"type\": \"array\", \"items\": {\"type\": \"string\", \"pattern\": \"(a)\\\\1\"}}";
  CHECK_STATUS(SLUICE_E_UNSUPPORTED, compile_with(schema, "", &g));
  CHECK(error.has_pointer == 1 && is(error.pointer, error.pointer_length, "/items/pattern"));
  CHECK(is(error.keyword, error.keyword_length, "pattern") && is(error.source, error.source_length, "json_schema"));
  CHECK(error.message_length > 0 && error.fragment_length > 0);
  CHECK_STATUS(SLUICE_OK, compile_with(schema, "{\"lenient\": true}", &g));
  CHECK(find_note(g, SLUICE_EFFECT_WIDER, &note));
  CHECK(is(note.pointer, note.pointer_length, "/items/pattern"));
}

/* kind_of compiles a request and returns the kind of its constraint. */
static uint64_t kind_of(const char *request) {
  sluice_grammar g = 0;
  sluice_grammar_facts facts = {.struct_size = sizeof facts};
  CHECK_STATUS(SLUICE_OK,
               sluice_grammar_compile(compiler, SLUICE_KIND_REQUEST, request, strlen(request), NULL, 0, &g, &error));
  CHECK_STATUS(SLUICE_OK, sluice_grammar_info(g, &facts, &error));
  CHECK_STATUS(SLUICE_OK, sluice_grammar_free(g));
  return facts.kind;
}

static void test_requests(void) {
  sluice_grammar g = 0;
  CHECK(kind_of("{}") == 0); /* nothing to constrain is an answer */
  CHECK(kind_of("{\"response_format\": {\"type\": \"json_object\"}}") == SLUICE_KIND_JSON_OBJECT);
  CHECK(kind_of("{\"guided_choice\": [\"a\"]}") == SLUICE_KIND_CHOICE);
  static const char two[] = "{\"regex\": \"a\", \"ebnf\": \"root ::= \\\"a\\\"\"}";
  CHECK_STATUS(SLUICE_E_INVALID,
               sluice_grammar_compile(compiler, SLUICE_KIND_REQUEST, two, sizeof two - 1, NULL, 0, &g, &error));
  CHECK(is(error.pointer, error.pointer_length, "/ebnf"));
  CHECK(strstr(error.message, "Cannot specify both 'regex' and 'ebnf' in the same request") != NULL);
}

/* has tells whether a text of n bytes has a part. */
static int has(const char *text, size_t n, const char *part) {
  for (size_t i = 0; i + strlen(part) <= n; i++) {
    if (memcmp(text + i, part, strlen(part)) == 0) {
      return 1;
    }
  }
  return 0;
}

static void test_tools(void) {
  static const char request[] = "{\"tools\": [{\"name\": \"f\"}, {\"name\": \"g\"}], \"tool_choice\": \"required\"}";
  static const char options[] = "{\"family\": \"hermes\"}";
  static char text[1 << 16];
  size_t n = 0;
  sluice_grammar g = 0;
  CHECK_STATUS(SLUICE_OK, sluice_grammar_compile(compiler, SLUICE_KIND_REQUEST, request, sizeof request - 1, options,
                                                 sizeof options - 1, &g, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT,
               sluice_grammar_compile(compiler, SLUICE_KIND_REQUEST, request, sizeof request - 1, NULL, 0, &g, &error));
  CHECK(is(error.pointer, error.pointer_length, "/tools"));

  CHECK_STATUS(SLUICE_OK, sluice_request_read(request, sizeof request - 1, options, sizeof options - 1, 0, text,
                                              sizeof text, &n, &error));
  CHECK(has(text, n, "\"kind\":\"structural_tag\"") && has(text, n, "tool_call"));
  CHECK_STATUS(SLUICE_E_HANDLE, sluice_request_read(request, sizeof request - 1, options, sizeof options - 1, 7, text,
                                                    sizeof text, &n, &error));
  CHECK_STATUS(SLUICE_E_ARGUMENT,
               sluice_request_read(request, sizeof request - 1, NULL, 0, 0, text, sizeof text, &n, &error));
  CHECK_STATUS(SLUICE_E_INVALID, sluice_request_read("[]", 2, NULL, 0, 0, NULL, 0, NULL, &error));
  CHECK_STATUS(SLUICE_OK, sluice_request_tools(request, sizeof request - 1, text, sizeof text, &n, &error));
  CHECK(has(text, n, "\"tools\":[0,1]") && has(text, n, "\"tool_choice\":\"required\""));
  CHECK_STATUS(SLUICE_E_SYNTAX, sluice_request_tools("{", 1, NULL, 0, NULL, &error));
  CHECK_STATUS(SLUICE_OK, sluice_families(text, sizeof text, &n, &error));
  CHECK(has(text, n, "\"kimi_k2\""));
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_families(NULL, 1, &n, &error));
  CHECK_STATUS(SLUICE_OK, sluice_family_of("Qwen/Qwen3-8B", 13, text, sizeof text, &n, &error));
  CHECK(n == 5 && memcmp(text, "qwen3", 5) == 0);
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_family_of(NULL, 1, text, sizeof text, &n, &error));
}

/* A check says what compiling says, and needs no compiler. */
static void test_check(void) {
  static const char schema[] = "{\"requried\": [\"a\"]}", ends[] = "{\"max_length\": 2, \"type\": \"string\"";
  char text[512];
  size_t n = 0;
  CHECK_STATUS(SLUICE_OK, sluice_check(SLUICE_KIND_JSON_SCHEMA, schema, sizeof schema - 1, NULL, 0, 0, 0, text,
                                       sizeof text, &n, &error));
  CHECK(has(text, n, "[{\"pointer\":\"/requried\",\"keyword\":\"requried\",\"effect\":\"ignored\",\"text\":\""));
  CHECK_STATUS(SLUICE_OK,
               sluice_check(SLUICE_KIND_EBNF, "root ::= \"a\"", 12, NULL, 0, 0, 9999, text, sizeof text, &n, &error));
  CHECK(n == 2 && memcmp(text, "[]", 2) == 0);
  CHECK_STATUS(SLUICE_E_SYNTAX,
               sluice_check(SLUICE_KIND_JSON_SCHEMA, ends, sizeof ends - 1, NULL, 0, 0, 0, NULL, 0, NULL, &error));
  CHECK(error.line == 1 && error.column == sizeof ends);
  CHECK_STATUS(SLUICE_E_ARGUMENT,
               sluice_check(SLUICE_KIND_EBNF, "", 0, "{\"compact\": true}", 17, 0, 0, NULL, 0, NULL, &error));
  CHECK(is(error.keyword, error.keyword_length, "compact"));
}

/* With a vocabulary tokens are looked up, with a budget the check ends, and an advice ends the message. */
static void test_check_within(void) {
  static const char named[] = "root ::= <|no such token|>", remote[] = "{\"$ref\": \"http://x\"}";
  sluice_vocabulary v = small_vocabulary();
  CHECK_STATUS(SLUICE_OK,
               sluice_check(SLUICE_KIND_EBNF, named, sizeof named - 1, NULL, 0, 0, 0, NULL, 0, NULL, &error));
  CHECK_STATUS(SLUICE_E_INVALID,
               sluice_check(SLUICE_KIND_EBNF, named, sizeof named - 1, NULL, 0, v, 0, NULL, 0, NULL, &error));
  CHECK(error.column == 10 && error.advice_length == 0);
  CHECK_STATUS(SLUICE_E_UNFINISHED,
               sluice_check(SLUICE_KIND_EBNF, "root ::= \"a\"", 12, NULL, 0, 0, 1, NULL, 0, NULL, &error));
  CHECK_STATUS(SLUICE_E_UNSUPPORTED,
               sluice_check(SLUICE_KIND_JSON_SCHEMA, remote, sizeof remote - 1, NULL, 0, v, 0, NULL, 0, NULL, &error));
  CHECK(strstr(error.message + error.message_length - error.advice_length, "; or pass the schema") != NULL);
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_free(v));
}

/* A grammar is written as EBNF that says the same of the same kind. */
static void test_to_ebnf(void) {
  static const char lark[] = "start: \"a\"i <|any|>", ebnf[] = "root ::= [b-a]";
  static const char want[] = "root ::= start\nstart ::= Regex(\"a\", flags=\"i\") Token(\"<|any|>\")\n";
  char text[512];
  size_t n = 0;
  CHECK_STATUS(SLUICE_OK,
               sluice_to_ebnf(SLUICE_KIND_GRAMMAR, lark, sizeof lark - 1, NULL, 0, text, sizeof text, &n, &error));
  CHECK(n == sizeof want - 1 && memcmp(text, want, n) == 0);
  CHECK_STATUS(SLUICE_OK, sluice_to_ebnf(SLUICE_KIND_EBNF, want, sizeof want - 1, NULL, 0, text, 4, &n, &error));
  CHECK(n == sizeof want - 1 && memcmp(text, want, 4) == 0);
  CHECK_STATUS(SLUICE_E_SYNTAX,
               sluice_to_ebnf(SLUICE_KIND_EBNF, ebnf, sizeof ebnf - 1, NULL, 0, NULL, 0, NULL, &error));
  CHECK(error.line == 1 && error.column == 11);
}

static void test_errors(void) {
  sluice_grammar g = 0;
  CHECK_STATUS(SLUICE_E_INVALID, compile_with("{\"properties\": {\"a\": {\"minLength\": -1}}}", "", &g));
  CHECK(is(error.pointer, error.pointer_length, "/properties/a/minLength"));
  CHECK(is(error.keyword, error.keyword_length, "minLength") && is(error.fragment, error.fragment_length, "-1"));
  CHECK_STATUS(SLUICE_E_UNSATISFIABLE, compile_with("{\"type\": \"integer\", \"minimum\": 2, \"maximum\": 1}", "", &g));
  CHECK(error.has_pointer == 1 && error.message_length > 0);
  CHECK_STATUS(SLUICE_E_SYNTAX, compile_with("{\n\"type\": oops}", "", &g));
  CHECK(error.has_pointer == 0 && error.line == 2 && error.column == 9 && error.offset == 10);
  CHECK_STATUS(SLUICE_E_ARGUMENT, compile_with("{}", "{\"no_such_option\": 1}", &g));
  CHECK(is(error.source, error.source_length, "options") && is(error.keyword, error.keyword_length, "no_such_option"));
}

static void test_capabilities(void) {
  size_t length = 0, again = 0;
  char few[8] = "xxxxxxx";
  CHECK_STATUS(SLUICE_OK, sluice_capabilities(NULL, 0, &length, &error));
  CHECK(length > 1000);
  CHECK_STATUS(SLUICE_OK, sluice_capabilities(few, 4, NULL, &error));
  CHECK(few[0] == '{' && few[4] == 'x');
  char *text = malloc(length + 1);
  CHECK_STATUS(SLUICE_OK, sluice_capabilities(text, length, &again, &error));
  text[length] = 0;
  CHECK(again == length && text[length - 1] == '}' && strlen(text) == length);
  const char *const parts[] = {"\"kinds\":[",           "\"options\":[",  "\"dialects\":[", "\"keywords\":[",
                               "\"formats\":[",         "\"regex\":[",    "\"ebnf\":[",     "\"structural_tag\":[",
                               "\"support\":\"exact\"", "\"uniqueItems\""};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    CHECK(strstr(text, parts[i]) != NULL);
  }
  free(text);
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_capabilities(NULL, 5, &length, &error));
  CHECK(strstr(error.message, "text") != NULL);
}

int main(void) {
  compiler = small_compiler();
  test_notes();
  test_requests();
  test_tools();
  test_check();
  test_check_within();
  test_to_ebnf();
  test_errors();
  test_capabilities();
  return 0;
}
