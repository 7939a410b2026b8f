/* statuses_requests.h: the part of statuses.c about sluice/requests.h, sluice/check.h and sluice/combine.h. */
static void test_requests(void) {
  static const char unsupported[] = "{\"functions\": [1]}";
  GIVES(sluice_request_read, SLUICE_OK, ("{}", 2, NULL, 0, vocabulary, NULL, 0, &n, &error));
  GIVES(sluice_request_read, SLUICE_E_SYNTAX, ("{", 1, NULL, 0, 0, NULL, 0, &n, &error));
  GIVES(sluice_request_read, SLUICE_E_INVALID, ("[]", 2, NULL, 0, 0, NULL, 0, &n, &error));
  GIVES(sluice_request_read, SLUICE_E_UNSUPPORTED,
        (unsupported, sizeof unsupported - 1, NULL, 0, 0, NULL, 0, &n, &error));
  GIVES(sluice_request_read, SLUICE_E_ARGUMENT, ("{}", 2, "{\"family\":\"?\"}", 14, 0, NULL, 0, &n, &error));
  GIVES(sluice_request_read, SLUICE_E_HANDLE, ("{}", 2, NULL, 0, 7, NULL, 0, &n, &error));
  GIVES(sluice_request_tools, SLUICE_OK, ("{}", 2, NULL, 0, &n, &error));
  GIVES(sluice_request_tools, SLUICE_E_SYNTAX, ("{", 1, NULL, 0, &n, &error));
  GIVES(sluice_request_tools, SLUICE_E_INVALID, ("[]", 2, NULL, 0, &n, &error));
  GIVES(sluice_request_tools, SLUICE_E_ARGUMENT, (NULL, 2, NULL, 0, &n, &error));
  GIVES(sluice_families, SLUICE_OK, (NULL, 0, &n, &error));
  GIVES(sluice_families, SLUICE_E_ARGUMENT, (NULL, 9, &n, &error));
  GIVES(sluice_family_of, SLUICE_OK, ("Qwen/Qwen3-8B", 13, NULL, 0, &n, &error));
  GIVES(sluice_family_of, SLUICE_E_ARGUMENT, ("acme/Rocket", 11, NULL, 0, &n, &error));

  GIVES(sluice_check, SLUICE_OK, (SLUICE_KIND_REGEX, "a", 1, NULL, 0, 0, 0, NULL, 0, &n, &error));
  GIVES(sluice_check, SLUICE_E_SYNTAX, (SLUICE_KIND_REGEX, "(", 1, NULL, 0, 0, 0, NULL, 0, &n, &error));
  GIVES(sluice_check, SLUICE_E_INVALID, (SLUICE_KIND_JSON_SCHEMA, "1", 1, NULL, 0, 0, 0, NULL, 0, &n, &error));
  GIVES(sluice_check, SLUICE_E_UNSUPPORTED, (SLUICE_KIND_REGEX, "(a)\\1", 5, NULL, 0, 0, 0, NULL, 0, &n, &error));
  GIVES(sluice_check, SLUICE_E_UNSATISFIABLE,
        (SLUICE_KIND_JSON_SCHEMA, "false", 5, NULL, 0, 0, 0, NULL, 0, &n, &error));
  GIVES(sluice_check, SLUICE_E_LIMIT, (SLUICE_KIND_REGEX, "a{999999999999}", 15, NULL, 0, 0, 0, NULL, 0, &n, &error));
  GIVES(sluice_check, SLUICE_E_ARGUMENT, (99, "a", 1, NULL, 0, 0, 0, NULL, 0, &n, &error));
  GIVES(sluice_check, SLUICE_E_HANDLE, (SLUICE_KIND_REGEX, "a", 1, NULL, 0, 7, 0, NULL, 0, &n, &error));
  GIVES(sluice_check, SLUICE_E_UNFINISHED, (SLUICE_KIND_REGEX, "a{9}", 4, NULL, 0, 0, 1, NULL, 0, &n, &error));

  static const char nowhere[] = "root ::= \"a\" (= \"b\")", repeated[] = "root ::= \"a\"{999999999}";
  GIVES(sluice_to_ebnf, SLUICE_OK, (SLUICE_KIND_LARK, "start: \"a\"", 10, NULL, 0, NULL, 0, &n, &error));
  GIVES(sluice_to_ebnf, SLUICE_E_SYNTAX, (SLUICE_KIND_EBNF, "root ::= (", 10, NULL, 0, NULL, 0, &n, &error));
  GIVES(sluice_to_ebnf, SLUICE_E_INVALID, (SLUICE_KIND_EBNF, "root ::= a", 10, NULL, 0, NULL, 0, &n, &error));
  GIVES(sluice_to_ebnf, SLUICE_E_UNSUPPORTED,
        (SLUICE_KIND_EBNF, nowhere, sizeof nowhere - 1, NULL, 0, NULL, 0, &n, &error));
  GIVES(sluice_to_ebnf, SLUICE_E_LIMIT,
        (SLUICE_KIND_EBNF, repeated, sizeof repeated - 1, NULL, 0, NULL, 0, &n, &error));
  GIVES(sluice_to_ebnf, SLUICE_E_ARGUMENT, (SLUICE_KIND_REGEX, "a", 1, NULL, 0, NULL, 0, &n, &error));

  uint32_t kind = SLUICE_KIND_REGEX;
  const char *spec = "[";
  size_t size = 1;
  GIVES(sluice_combine, SLUICE_OK, (SLUICE_UNION, 1, &kind, &spec, &size, NULL, 0, &n, &error));
  GIVES(sluice_combine, SLUICE_E_ARGUMENT, (SLUICE_UNION, 0, &kind, &spec, &size, NULL, 0, &n, &error));
  GIVES(sluice_combine, SLUICE_E_ARGUMENT, (0, 1, &kind, &spec, &size, NULL, 0, &n, &error));
  kind = SLUICE_KIND_CHOICE;
  GIVES(sluice_combine, SLUICE_E_SYNTAX, (SLUICE_CONCAT, 1, &kind, &spec, &size, NULL, 0, &n, &error));

  const size_t tools = 10001; /* one more than are read */
  char *many = malloc(tools * 3 + 16);
  CHECK(many != NULL);
  size_t length = (size_t)sprintf(many, "{\"tools\":[0");
  for (size_t i = 1; i < tools; i++) {
    many[length++] = ',';
    many[length++] = '0';
  }
  many[length++] = ']';
  many[length++] = '}';
  GIVES(sluice_request_read, SLUICE_E_LIMIT, (many, length, NULL, 0, 0, NULL, 0, &n, &error));
  GIVES(sluice_request_tools, SLUICE_E_LIMIT, (many, length, NULL, 0, &n, &error));
  free(many);
}
