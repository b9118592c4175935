# LibTorch, which only the module of the room deep links. Looked for by its files: its own CMake package sets flags for everybody
# who finds it. BAUTA_TORCH names a LibTorch elsewhere, e.g. one with CUDA.
set(BAUTA_TORCH "" CACHE PATH "Folder of a LibTorch (with include/ and lib/); empty: the system's")
find_path(BAUTA_TORCH_INCLUDE ATen/ATen.h HINTS ${BAUTA_TORCH}/include)
set(BAUTA_TORCH_LIBRARIES)
foreach(part torch torch_cpu c10)
  find_library(BAUTA_TORCH_${part} ${part} HINTS ${BAUTA_TORCH}/lib)
  mark_as_advanced(BAUTA_TORCH_${part})
  list(APPEND BAUTA_TORCH_LIBRARIES ${BAUTA_TORCH_${part}})
endforeach()
mark_as_advanced(BAUTA_TORCH_INCLUDE)

if(BAUTA_TORCH_INCLUDE AND BAUTA_TORCH_torch AND BAUTA_TORCH_torch_cpu AND BAUTA_TORCH_c10)
  set(BAUTA_TORCH_FOUND ON)
  add_library(bauta_libtorch INTERFACE)
  target_include_directories(bauta_libtorch SYSTEM INTERFACE ${BAUTA_TORCH_INCLUDE})
  # libtorch.so brings in the CUDA part by itself, but only if it is linked although nothing names its symbols.
  target_link_libraries(bauta_libtorch INTERFACE -Wl,--no-as-needed ${BAUTA_TORCH_LIBRARIES} -Wl,--as-needed)
else()
  set(BAUTA_TORCH_FOUND OFF)
  message(STATUS "LibTorch not found: techniques that train networks will say so (package libtorch-dev)")
endif()
