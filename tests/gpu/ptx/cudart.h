// What the parts of the simulated CUDA runtime library share.
#pragma once
#include "stream.h"

#include <pthread.h>

extern pthread_mutex_t ptx_lock; // of streams and memory
extern _Thread_local int ptx_device;

bool ptx_begin(void);                     // reads the settings the first time; is there a device?
bool ptx_dropped(const char *call);       // is this call to be left out?
bool ptx_fails(const char *call);         // does it return an error?
cudaError_t ptx_error(cudaError_t error); // remembers it for cudaGetLastError
struct CUstream_st *ptx_stream_of(cudaStream_t s); // the default stream for NULL
