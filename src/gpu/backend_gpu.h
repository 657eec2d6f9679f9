// The backend of a GPU, where throng is built with one.
#pragma once
#include "backend.h"

// NULL, and why, when this build or this machine has none.
const struct backend *backend_gpu(const char **why);
