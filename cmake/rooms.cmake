add_library(bauta_options INTERFACE)
target_compile_definitions(bauta_options INTERFACE BAUTA_VERSION="${PROJECT_VERSION}")
target_compile_options(bauta_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow>")  # false alarms of g++ 12 on strings
if(BAUTA_WERROR)
  target_compile_options(bauta_options INTERFACE -Werror)
endif()
if(BAUTA_SANITIZE)
  target_compile_options(bauta_options INTERFACE -fsanitize=${BAUTA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(bauta_options INTERFACE -fsanitize=${BAUTA_SANITIZE})
  target_compile_definitions(bauta_options INTERFACE BAUTA_SANITIZED=1)
endif()
if(BAUTA_FUZZ)
  target_compile_options(bauta_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# bauta_headers(TARGET ROOM): lets a target see the headers of one room, and of no other. Each room has an include folder of its own in
# the build tree, with a link to include/bauta/<room>.
function(bauta_headers target room)
  if(EXISTS ${CMAKE_SOURCE_DIR}/include/bauta/${room})
    set(folder ${CMAKE_BINARY_DIR}/include/${room})
    file(MAKE_DIRECTORY ${folder}/bauta)
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include/bauta/${room} ${folder}/bauta/${room} SYMBOLIC)
    target_include_directories(${target} PUBLIC ${folder})
  endif()
endfunction()

# bauta_room(NAME SOURCES a.cpp ... [USES room ...] [LINK target ...]): one static library per room. USES names rooms that stand before it,
# within the design's "it may use" column. The room sees their headers and its own: any other include fails to compile, also where a used
# room uses that other one (tests/rooms checks it).
function(bauta_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES;LINK" ${ARGN})
  add_library(bauta_${name} STATIC ${ROOM_SOURCES})
  bauta_headers(bauta_${name} ${name})
  target_link_libraries(bauta_${name} PUBLIC bauta_options fmt::fmt ${ROOM_LINK})
  # Eigen without threads of its own, in every room or in none: of functions that two rooms compile in two ways the linker keeps one, and
  # products made by half of each are wrong. And the same bits for any number of threads.
  if("Eigen3::Eigen" IN_LIST ROOM_LINK)
    target_compile_definitions(bauta_${name} PRIVATE EIGEN_DONT_PARALLELIZE)
  endif()
  foreach(used ${ROOM_USES})
    if(NOT TARGET bauta_${used})
      message(FATAL_ERROR "the room ${name} uses ${used}, which does not stand before it in the line (CMakeLists.txt)")
    endif()
    target_link_libraries(bauta_${name} PRIVATE bauta_${used})  # linked with the room, seen by the room alone
  endforeach()
  set_target_properties(bauta_${name} PROPERTIES BAUTA_USES "${ROOM_USES}")
endfunction()

# bauta_test(ROOM file_test.cpp ... [USES room ...]): one test program per room, test_<room>. It sees what the room sees, the room's private
# headers and the rooms under USES. Tests whose suite name ends in "Slow" get the label <room>-slow, which -L slow and -L <room> match; they
# run in CI in a bounded form (BAUTA_SLOW=1 gives the full form).
function(bauta_test room)
  cmake_parse_arguments(TEST "" "" "USES;LINK" ${ARGN})
  add_executable(test_${room} ${TEST_UNPARSED_ARGUMENTS})
  target_include_directories(test_${room} PRIVATE ${CMAKE_SOURCE_DIR}/src/${room})
  target_link_libraries(test_${room} PRIVATE bauta_${room} GTest::gtest GTest::gtest_main ${TEST_LINK})
  get_target_property(uses bauta_${room} BAUTA_USES)
  foreach(used ${uses} ${TEST_USES})
    target_link_libraries(test_${room} PRIVATE bauta_${used})
  endforeach()
  gtest_discover_tests(test_${room} TEST_PREFIX "${room}." TEST_FILTER "-*Slow.*:Held*" DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${room} TIMEOUT 600)
  # What is written down was computed by these kernels: others round otherwise, and a score may fall into the next bin.
  gtest_discover_tests(test_${room} TEST_PREFIX "${room}." TEST_FILTER "Held*" TEST_LIST test_${room}_HELD DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${room} TIMEOUT 600 ENVIRONMENT OPENBLAS_CORETYPE=Haswell)
  gtest_discover_tests(test_${room} TEST_PREFIX "${room}." TEST_FILTER "*Slow.*" TEST_LIST test_${room}_SLOW DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${room}-slow TIMEOUT 600)
endfunction()

# bauta_module(NAME file.cpp ... LINK target ...): a library that the program loads when it is first needed, because linking what it links
# costs every start of the program.
function(bauta_module name)
  cmake_parse_arguments(MODULE "" "" "LINK" ${ARGN})
  add_library(${name} MODULE ${MODULE_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${MODULE_LINK})
  # Its copies of our own functions stay its own.
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL)
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()
