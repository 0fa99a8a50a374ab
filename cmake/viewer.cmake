# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# The viewer: finds libwebsockets, and builds the page of viewer/ with Vite, to be put into the command.
# If there can be no viewer, sets no_viewer to the reason; else clears it and sets page_source to the
# C file that contains the page.
set(SINEW_VIEWER AUTO CACHE STRING "sinew view: AUTO (if node, npm and libwebsockets are there), ON or OFF")
set_property(CACHE SINEW_VIEWER PROPERTY STRINGS AUTO ON OFF)
set(no_viewer "")
set(viewer_folder ${PROJECT_BINARY_DIR}/viewer)

find_program(NODE node)
find_program(NPM npm)
if(PkgConfig_FOUND)
  pkg_check_modules(WEBSOCKETS QUIET IMPORTED_TARGET libwebsockets>=4.1)
endif()
if(NOT SINEW_VIEWER MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "SINEW_VIEWER is '${SINEW_VIEWER}'; expected AUTO, ON or OFF")
elseif(SINEW_VIEWER STREQUAL "OFF")
  set(no_viewer "it was built with -DSINEW_VIEWER=OFF")
elseif(NOT WEBSOCKETS_FOUND)
  set(no_viewer "libwebsockets 4.1 was missing, run scripts/install-deps and build again")
elseif(NOT NODE OR NOT NPM)
  set(no_viewer "node and npm were missing, run scripts/install-deps and build again")
endif()

# Fetches the packages of package-lock.json, once for each version of that file.
if(NOT no_viewer)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    viewer/package.json viewer/package-lock.json)
  file(SHA256 viewer/package-lock.json lock)
  set(fetched "")
  if(EXISTS ${viewer_folder}/fetched)
    file(READ ${viewer_folder}/fetched fetched)
  endif()
  if(NOT fetched STREQUAL lock)
    message(STATUS "Fetching the packages of the viewer")
    file(COPY viewer/package.json viewer/package-lock.json DESTINATION ${viewer_folder})
    execute_process(COMMAND ${NPM} ci --no-audit --no-fund --fetch-retries=1 --fetch-timeout=30000
      WORKING_DIRECTORY ${viewer_folder} TIMEOUT 300 RESULT_VARIABLE result
      OUTPUT_FILE ${viewer_folder}/npm.log ERROR_FILE ${viewer_folder}/npm.log)
    if(result EQUAL 0)
      file(WRITE ${viewer_folder}/fetched ${lock})
    else()
      set(no_viewer "npm could not fetch its packages (see viewer/npm.log in the build folder)")
    endif()
  endif()
endif()

if(no_viewer)
  if(SINEW_VIEWER STREQUAL "ON")
    message(FATAL_ERROR "SINEW_VIEWER is ON, but ${no_viewer}")
  endif()
  message(STATUS "Without sinew view: ${no_viewer}")
  return()
endif()

# Builds a copy in the build folder, so that the sources stay as they are.
file(GLOB_RECURSE page_files CONFIGURE_DEPENDS viewer/src/* viewer/public/*)
set(page_source ${PROJECT_BINARY_DIR}/page_table.c)
add_custom_command(OUTPUT ${page_source}
  COMMAND ${CMAKE_COMMAND} -E rm -rf src public dist
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/viewer/src src
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/viewer/public public
  COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/viewer/index.html
          ${PROJECT_SOURCE_DIR}/viewer/tsconfig.json ${PROJECT_SOURCE_DIR}/viewer/vite.config.ts
          ${PROJECT_SOURCE_DIR}/viewer/package.json .
  COMMAND ${NPM} run --silent build -- --logLevel warn
  COMMAND ${NODE} ${PROJECT_SOURCE_DIR}/cmake/embed_page.mjs dist ${page_source}
  WORKING_DIRECTORY ${viewer_folder}
  DEPENDS ${page_files} viewer/index.html viewer/tsconfig.json viewer/vite.config.ts
          viewer/package.json cmake/embed_page.mjs ${viewer_folder}/fetched
  COMMENT "Building the viewer's page" VERBATIM)
