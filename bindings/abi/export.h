/*
 * How the module exports a function. Part of the wasm module only.
 */
#ifndef MOREAU_ABI_EXPORT_H
#define MOREAU_ABI_EXPORT_H

// Declares and begins a function that JavaScript sees under `name`. A prototype first, as
// -Wmissing-prototypes wants one.
#define EXPORT(type, name, ...)                                                                    \
  type js_##name(__VA_ARGS__);                                                                     \
  __attribute__((export_name(#name))) type js_##name(__VA_ARGS__)

#endif
