// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// As much of XML as VTK's files need: tags with their attributes, one after the other, and arrays
// of numbers in any of VTK's encodings.
#pragma once

#include "formats/tets_read.h"

typedef struct swXml {
    swScan s;
    const char *start;
    swArena *arena;
    bool big, zipped; // of arrays
    int header;       // bytes of each number before an array
    // What stands behind the XML, or NULL:
    const char *appended;
    bool appended_base64;
} swXml;

typedef struct swXmlTag {
    const char *name;
    int nname;
    const char *at, *end; // of its attributes
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
    const char *from, *end; // its text; NULL: there is no such array
    int line;               // where that begins
    const char *name;
    int nname;
    swXmlType type;
    int64_t ncomponent;
    enum { SW_XML_TEXT, SW_XML_BASE64, SW_XML_APPENDED } format;
    int64_t offset; // of appended ones
} swXmlArray;

bool sw_xml_open(swXml *xml, const swMeshFile *file, swArena *arena, swError *error);
// 1: a tag; 0: the end; -1: failed. Comments and declarations are passed over.
int sw_xml_next(swXml *xml, swXmlTag *tag, swError *error);
bool sw_xml_is(const swXmlTag *tag, const char *name);
// The length of the attribute's value; 0 where it has none.
int sw_xml_attribute(const swXmlTag *tag, const char *name, const char **value);
int64_t sw_xml_integer(const swXmlTag *tag, const char *name); // -1: none
bool sw_xml_fail(const swXml *xml, swStatus code, swError *error, const char *format, ...)
    SW_PRINTF(4, 5);
// The array that a tag DataArray begins.
bool sw_xml_array(swXml *xml, const swXmlTag *tag, swXmlArray *array, swError *error);
// The tag AppendedData: its bytes begin behind the underscore.
bool sw_xml_appended(swXml *xml, const swXmlTag *tag, swError *error);
// The `count` numbers that the array must have; NULL on failure. `what` names it in messages.
double *sw_xml_reals(swXml *xml, const swXmlArray *array, const char *what, int64_t count,
                     swError *error);
int64_t *sw_xml_integers(swXml *xml, const swXmlArray *array, const char *what, int64_t count,
                         swError *error);
