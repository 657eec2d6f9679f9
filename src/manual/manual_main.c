// Prints a page for the build: throng_manual man | bash | zsh. It links neither MPI
// nor HDF5, so it runs where MPI programs may not, such as the login node of a cluster.
#include "manual_pages.h"

#include <string.h>

int main(int argc, char **argv)
{
  const char *page = argc == 2 ? argv[1] : "";
  if (strcmp(page, "man") == 0) {
    man_page_print(stdout);
  } else if (strcmp(page, "bash") == 0) {
    completion_data_print(stdout);
  } else if (strcmp(page, "zsh") == 0) {
    fputs("#compdef throng\n", stdout); // must be the first line of the file
    completion_data_print(stdout);
    completion_zsh_specs_print(stdout);
  } else {
    fputs("usage: throng_manual man|bash|zsh\n", stderr);
    return 64;
  }
  return fflush(stdout) != 0;
}
