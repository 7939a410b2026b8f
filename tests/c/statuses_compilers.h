/* statuses_compilers.h: a part of statuses.c: compilers, made and loaded. It uses the names of that program. */
#ifndef SLUICE_TESTS_STATUSES_COMPILERS_H
#define SLUICE_TESTS_STATUSES_COMPILERS_H

static void test_compiler(void) {
  sluice_compiler c = 0;
  GIVES(sluice_compiler_new, SLUICE_OK, (vocabulary, NULL, 0, &c, &error));
  GIVES(sluice_compiler_new, SLUICE_E_ARGUMENT, (vocabulary, "{\"x\":1}", 7, &c, &error));
  GIVES(sluice_compiler_new, SLUICE_E_HANDLE, (0, NULL, 0, &c, &error));
  UNSEEN(sluice_compiler_new, SLUICE_E_LIMIT); /* sixteen million compilers alive */
  GIVES(sluice_compiler_free, SLUICE_OK, (c));
  GIVES(sluice_compiler_free, SLUICE_E_HANDLE, (c));
  GIVES(sluice_capabilities, SLUICE_OK, (NULL, 0, &n, &error));
  GIVES(sluice_capabilities, SLUICE_E_ARGUMENT, (NULL, 9, &n, &error));
}

static void test_saved(void) {
  static uint8_t file[1 << 20];
  sluice_compiler c = 0, loaded = 0;
  sluice_vocabulary own = 0, other = 0;
  size_t length = 0;
  CHECK_STATUS(SLUICE_OK, sluice_compiler_new(vocabulary, NULL, 0, &c, &error));
  GIVES(sluice_compiler_save, SLUICE_OK, (c, NULL, 0, &length, &error));
  CHECK(length > 100 && length < sizeof file);
  CHECK_STATUS(SLUICE_OK, sluice_compiler_save(c, file, sizeof file, &length, &error));
  GIVES(sluice_compiler_save, SLUICE_E_ARGUMENT, (c, NULL, 1, &length, &error));
  GIVES(sluice_compiler_save, SLUICE_E_HANDLE, (0, NULL, 0, &length, &error));

  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_from_data(SLUICE_FORMAT_SLUICE, file, length, NULL, &own, &error));
  GIVES(sluice_compiler_load, SLUICE_OK, (own, file, length, NULL, 0, &loaded, &error));
  GIVES(sluice_compiler_load, SLUICE_E_HANDLE, (0, file, length, NULL, 0, &loaded, &error));
  GIVES(sluice_compiler_load, SLUICE_E_ARGUMENT, (own, NULL, 1, NULL, 0, &loaded, &error));
  GIVES(sluice_compiler_load, SLUICE_E_SYNTAX, (own, file, length / 2, NULL, 0, &loaded, &error));
  UNSEEN(sluice_compiler_load, SLUICE_E_LIMIT); /* sixteen million compilers alive */
  file[length - 1] ^= 1;                        /* the checksum */
  GIVES(sluice_compiler_load, SLUICE_E_INVALID, (own, file, length, NULL, 0, &loaded, &error));
  file[1]++; /* the format */
  GIVES(sluice_compiler_load, SLUICE_E_UNSUPPORTED, (own, file, length, NULL, 0, &loaded, &error));
  file[1]--;
  file[length - 1] ^= 1;

  uint64_t offsets[] = {0, 1, 2};
  sluice_vocabulary_config config = {
      .struct_size = sizeof config, .n_tokens = 2, .bytes = (const uint8_t *)"ab", .offsets = offsets};
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_new(&config, &other, &error));
  sluice_compiler none = 0;
  CHECK_STATUS(SLUICE_E_ARGUMENT, sluice_compiler_load(other, file, length, NULL, 0, &none, &error));
  CHECK(strstr(error.message, "hash") != NULL);

  sluice_grammar g = 0;
  CHECK_STATUS(SLUICE_OK, sluice_grammar_compile(loaded, SLUICE_KIND_REGEX, "a+", 2, NULL, 0, &g, &error));
  CHECK_STATUS(SLUICE_OK, sluice_grammar_free(g));
  CHECK_STATUS(SLUICE_OK, sluice_compiler_free(loaded));
  CHECK_STATUS(SLUICE_OK, sluice_compiler_free(c));
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_free(own));
  CHECK_STATUS(SLUICE_OK, sluice_vocabulary_free(other));
}

#endif /* SLUICE_TESTS_STATUSES_COMPILERS_H */
