// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The subset of XML that VTK's files need: tags with their attributes in sequence, and arrays of
// numbers in any of VTK's encodings.
#pragma once

#include "formats/tets_read.h"

typedef struct swXml {
    swScan s;
    const char *start;
    swArena *arena;
    bool big, zipped; // of the arrays
    int header;       // size of the numbers that precede an array [bytes]
    // The appended data after the XML, or NULL:
    const char *appended;
    bool appended_base64;
} swXml;

typedef struct swXmlTag {
    const char *name;
    int nname;
    const char *at, *end; // its attributes
    bool closing, empty;  // </name>, <name/>
} swXmlTag;

typedef enum swXmlType {
    SW_XML_I8,
    SW_XML_U8,
    SW_XML_I16,
    SW_XML_U16,
    SW_XML_I32,
    SW_XML_U32,
    SW_XML_I64,
    SW_XML_U64,
    SW_XML_F32,
    SW_XML_F64,
    SW_XML_OTHER
} swXmlType;

typedef struct swXmlArray {
    const char *from, *end; // its text; NULL: the array does not exist
    int line;               // the line where the text begins
    const char *name;
    int nname;
    swXmlType type;
    int64_t ncomponent;
    enum { SW_XML_TEXT, SW_XML_BASE64, SW_XML_APPENDED } format;
    int64_t offset; // of an appended array
} swXmlArray;

bool sw_xml_open(swXml *xml, const swMeshFile *file, swArena *arena, swError *error);
// Returns 1 for a tag, 0 at the end, -1 on failure. Skips comments and declarations.
int sw_xml_next(swXml *xml, swXmlTag *tag, swError *error);
bool sw_xml_is(const swXmlTag *tag, const char *name);
// Finds an attribute. Returns the length of its value, 0 if there is none.
int sw_xml_attribute(const swXmlTag *tag, const char *name, const char **value);
int64_t sw_xml_integer(const swXmlTag *tag, const char *name); // -1: there is none
bool sw_xml_fail(const swXml *xml, swStatus code, swError *error, const char *format, ...)
    SW_PRINTF(4, 5);
// Describes the array that a DataArray tag begins.
bool sw_xml_array(swXml *xml, const swXmlTag *tag, swXmlArray *array, swError *error);
// Handles the AppendedData tag, whose bytes begin after an underscore.
bool sw_xml_appended(swXml *xml, const swXmlTag *tag, swError *error);
// Reads the array, which must have `count` numbers. NULL on failure. `what` names it in messages.
double *sw_xml_reals(swXml *xml, const swXmlArray *array, const char *what, int64_t count,
                     swError *error);
int64_t *sw_xml_integers(swXml *xml, const swXmlArray *array, const char *what, int64_t count,
                         swError *error);
