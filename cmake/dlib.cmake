# dlib, which only the module libbauta_faces links.
find_path(BAUTA_DLIB_INCLUDE dlib/dnn.h)
find_library(BAUTA_DLIB_LIBRARY dlib)
mark_as_advanced(BAUTA_DLIB_INCLUDE BAUTA_DLIB_LIBRARY)

if(BAUTA_DLIB_INCLUDE AND BAUTA_DLIB_LIBRARY)
  set(BAUTA_DLIB_FOUND ON)
  add_library(bauta_libdlib INTERFACE)
  target_include_directories(bauta_libdlib SYSTEM INTERFACE ${BAUTA_DLIB_INCLUDE})
  target_link_libraries(bauta_libdlib INTERFACE ${BAUTA_DLIB_LIBRARY})
else()
  set(BAUTA_DLIB_FOUND OFF)
  message(STATUS "dlib not found: extractors of faces will say so (package libdlib-dev)")
endif()
