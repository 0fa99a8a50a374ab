// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Table-driven options: --name value, --name=value, -o value. The help comes from the same tables.
#include "cli.h"

#include <string.h>

enum { HELP_COLUMN = 22 };

// ---- help ----

static void print_option(const Option *o) {
    char head[80];
    snprintf(head, sizeof head, "  %s%s%s%s", o->name[1] ? "--" : "-", o->name, o->value ? " " : "",
             o->value ? o->value : "");
    printf("%-*s", HELP_COLUMN, head);
    if (strlen(head) >= HELP_COLUMN)
        printf("\n%*s", HELP_COLUMN, "");
    for (const char *line = o->help; *line;) {
        size_t n = strcspn(line, "\n");
        printf("%.*s\n", (int)n, line);
        line += n;
        if (*line == '\n' && *++line)
            printf("%*s", HELP_COLUMN, "");
    }
}

static void print_help(const Usage *u) {
    printf("Usage: sinew %s %s\n\n%s\n", u->command, u->synopsis, u->about);
    for (int i = 0; i < u->noption; i++)
        print_option(&u->option[i]);
    print_option(&(Option){.name = "help", .help = "print this help"});
    if (u->examples)
        printf("\nExamples:\n%s", u->examples);
}

// ---- values ----

// Reads a finite number that must take up all of the text up to `end`.
static bool whole_number(const char *text, const char *end, double *value) {
    return sw_text_number(text, end, value) == end && isfinite(*value);
}

// Reads `count` numbers with a separator between them.
static bool numbers(const char *text, char separator, int count, double *value) {
    for (int i = 0; i < count; i++) {
        const char *end = strchr(text, separator);
        if ((end == NULL) != (i == count - 1))
            return false;
        end = end ? end : text + strlen(text);
        if (!whole_number(text, end, &value[i]))
            return false;
        text = end + 1;
    }
    return true;
}

static bool in_range(const Option *o, double value) {
    return value >= o->lo && value <= o->hi &&
           (o->type == OPTION_REAL || o->type == OPTION_VEC3 || value == floor(value));
}

static const char *expected(const Option *o, char text[96]) {
    if (o->type == OPTION_VEC3)
        return "three numbers like 0.5,0.4,1";
    if (o->type == OPTION_SIZE)
        snprintf(text, 96, "a size like 640x480, sides from %g to %g", o->lo, o->hi);
    else if (o->type == OPTION_INT)
        snprintf(text, 96, "a whole number from %g to %g", o->lo, o->hi);
    else if (o->hi < INFINITY)
        snprintf(text, 96, "a number from %g to %g", o->lo, o->hi);
    else
        snprintf(text, 96, o->lo > 0 ? "a number above 0" : "a number of %g or more", o->lo);
    return text;
}

static bool store_numbers(const Option *o, const char *text) {
    const int count = o->type == OPTION_VEC3 ? 3 : o->type == OPTION_SIZE ? 2 : 1;
    double x[3] = {0};
    if (!numbers(text, o->type == OPTION_SIZE ? 'x' : ',', count, x))
        return false;
    for (int i = 0; i < count; i++)
        if (!in_range(o, x[i]))
            return false;
    if (o->type == OPTION_INT || o->type == OPTION_SIZE)
        for (int i = 0; i < count; i++)
            ((int *)o->to)[i] = (int)x[i];
    else if (o->type == OPTION_VEC3)
        *(swVec3 *)o->to = sw_v3(x[0], x[1], x[2]);
    else
        *(swReal *)o->to = x[0];
    return true;
}

static bool store(const Usage *u, const Option *o, const char *value) {
    const char *dashes = o->name[1] ? "--" : "-";
    char text[96];
    if (o->type == OPTION_FLAG)
        *(bool *)o->to = true;
    else if (o->type == OPTION_TEXT)
        *(const char **)o->to = value;
    else if (o->type == OPTION_LIST) {
        TextList *list = o->to;
        if (list->count == CLI_LIST) {
            cli_usage(u->command, "%s%s is given more than %d times", dashes, o->name, CLI_LIST);
            return false;
        }
        list->item[list->count++] = value;
    } else if (!store_numbers(o, value)) {
        cli_usage(u->command, "%s%s: expected %s, found \"%s\"", dashes, o->name, expected(o, text),
                  value);
        return false;
    }
    return true;
}

// ---- arguments ----

static const Option *find(const Usage *u, const char *name, size_t length) {
    for (int i = 0; i < u->noption; i++)
        if (strlen(u->option[i].name) == length && strncmp(u->option[i].name, name, length) == 0)
            return &u->option[i];
    return NULL;
}

static void fail_unknown(const Usage *u, const char *word) {
    const char *names[CLI_LIST];
    char name[80];
    int count = sw_min_int(u->noption, CLI_LIST - 1);
    for (int i = 0; i < count; i++)
        names[i] = u->option[i].name;
    names[count++] = "help";
    const char *bare = word + strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    const char *near = sw_text_nearest(name, names, count);
    if (near)
        cli_usage(u->command, "unknown option \"%s\", did you mean %s%s?", word,
                  near[1] ? "--" : "-", near);
    else
        cli_usage(u->command, "unknown option \"%s\"", word);
}

// Takes argv[*i] and, if its value is the next argument, that one too.
static bool take_option(const Usage *u, int argc, char **argv, int *i) {
    const char *word = argv[*i], *value = NULL;
    const Option *o;
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        o = length > 1 ? find(u, word + 2, length) : NULL;
        if (word[2 + length] == '=')
            value = word + 2 + length + 1;
    } else {
        o = find(u, word + 1, 1);
        if (word[2])
            value = word + 2;
    }
    if (!o) {
        fail_unknown(u, word);
        return false;
    }
    if (!o->value && value) {
        cli_usage(u->command, "\"%s\": --%s takes no value", word, o->name);
        return false;
    }
    if (o->value && !value && *i + 1 < argc)
        value = argv[++*i];
    if (o->value && (!value || !*value)) {
        cli_usage(u->command, "%s: expected %s after it, found nothing", word, o->value);
        return false;
    }
    return store(u, o, value);
}

static bool is_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

bool cli_options(const Usage *u, int argc, char **argv, const char **operand, int *status) {
    bool more = true; // options may still follow
    *status = CLI_USAGE;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (is_help(argv[i])) {
            print_help(u);
            *status = CLI_OK;
            return false;
        }
    const char *found = NULL;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (more && strcmp(word, "--") == 0)
            more = false;
        else if (more && word[0] == '-' && word[1]) {
            if (!take_option(u, argc, argv, &i))
                return false;
        } else if (found || !u->operand) {
            cli_usage(u->command, "\"%s\": one argument too many, expected %s", word,
                      u->operand ? u->operand : "only options");
            return false;
        } else
            found = word;
    }
    if (u->operand && !found && u->synopsis[0] != '[') {
        cli_usage(u->command, "expected %s, found nothing", u->operand);
        return false;
    }
    if (operand)
        *operand = found;
    return true;
}
