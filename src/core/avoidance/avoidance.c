#include "avoidance.h"

const char *const avoidance_names[METHOD_COUNT] = {
#define X(name) #name,
    AVOIDANCE_METHODS(X)
#undef X
};
