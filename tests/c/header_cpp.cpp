// The header alone, as C++: linkage is C's, and nothing in it is a word of C++.
#include <sluice.h>

#include <cstring>
#include <type_traits>

static_assert(std::is_same<sluice_status, int32_t>::value, "a status is a number that every language has");
static_assert(std::is_standard_layout<sluice_error>::value && std::is_trivial<sluice_error>::value,
              "structs are plain memory");
static_assert(std::is_standard_layout<sluice_batch>::value && std::is_trivial<sluice_batch>::value,
              "structs are plain memory");

int main() {
  sluice_vocabulary vocabulary = 0;
  sluice_error error = {};
  error.struct_size = sizeof error;
  sluice_status status = sluice_vocabulary_new(nullptr, &vocabulary, &error);
  return status == SLUICE_E_ARGUMENT && error.code == status && std::strlen(error.message) > 0 &&
                 std::strcmp(sluice_version(), SLUICE_VERSION) == 0
             ? 0
             : 1;
}
