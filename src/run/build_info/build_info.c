#include "build_info.h"

#include "version.h"

const char *build_info_version(void)
{
  return THRONG_VERSION;
}

const char *build_info_revision(void)
{
  return THRONG_REVISION;
}

const char *build_info_compiler(void)
{
  return THRONG_COMPILER " " __VERSION__;
}

const char *build_info_full(void)
{
  return THRONG_VERSION " (" THRONG_REVISION ")";
}
