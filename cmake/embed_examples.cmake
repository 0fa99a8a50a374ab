# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# cmake -DSOURCE=FOLDER -DOUTPUT=FILE.c -P embed_examples.cmake
# Writes examples/*.json, the files that they refer to and their pictures viewer/gallery/*.png as the
# table of cli/examples.h.
cmake_minimum_required(VERSION 3.22)

# Writes the bytes of a file as the C array `name`, followed by a zero byte.
function(put_bytes name path)
  file(READ "${path}" hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  file(APPEND "${OUTPUT}.new" "static const unsigned char ${name}[] = {\n${hex}0x00};\n")
endfunction()

file(WRITE "${OUTPUT}.new" "// Written by cmake/embed_examples.cmake.\n#include \"examples.h\"\n\n")
file(GLOB scenes "${SOURCE}/examples/*.json")
list(SORT scenes)
set(table "")
foreach(scene IN LISTS scenes)
  get_filename_component(name "${scene}" NAME_WE)
  string(MAKE_C_IDENTIFIER "${name}" id)
  file(READ "${scene}" text)
  string(REGEX MATCH "\"title\": *\"([^\"]*)\"" found "${text}")
  set(title "${CMAKE_MATCH_1}")
  put_bytes(scene_${id} "${scene}")

  string(REGEX MATCHALL "\"file\": *\"[^\"]+\"" uses "${text}")
  set(files "")
  set(count 0)
  foreach(use IN LISTS uses)
    string(REGEX REPLACE ".*\"([^\"]+)\"$" "\\1" file "${use}")
    put_bytes(file_${id}_${count} "${SOURCE}/examples/${file}")
    string(APPEND files "    {\"${file}\", file_${id}_${count}, sizeof file_${id}_${count} - 1},\n")
    math(EXPR count "${count} + 1")
  endforeach()
  if(count GREATER 0)
    file(APPEND "${OUTPUT}.new" "static const ExampleFile files_${id}[] = {\n${files}};\n")
    set(files "files_${id}, ${count}")
  else()
    set(files "NULL, 0")
  endif()

  set(picture "NULL, 0")
  if(EXISTS "${SOURCE}/viewer/gallery/${name}.png")
    put_bytes(picture_${id} "${SOURCE}/viewer/gallery/${name}.png")
    set(picture "picture_${id}, sizeof picture_${id} - 1")
  endif()
  string(APPEND table "    {\"${name}\", \"${title}\", (const char *)scene_${id}, sizeof scene_${id} - 1,\n"
    "     ${files}, ${picture}},\n")
endforeach()
file(APPEND "${OUTPUT}.new" "static const Example table[] = {\n${table}};\n\n"
  "const Example *examples(int *count) {\n"
  "    *count = (int)(sizeof table / sizeof table[0]);\n    return table;\n}\n")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
