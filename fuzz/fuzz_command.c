// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Messages of pages to sinew view: whatever is taken is in the range that the simulation expects.
#include "../cli/view/command.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Command c;
    swError error;
    sw_error_clear(&error);
    if (!command_parse((const char *)data, size, &c, &error)) {
        SW_ASSERT(error.message[0]);
        return 0;
    }
    SW_ASSERT(c.kind < DO_KINDS && c.id >= 0 && c.index >= 0 && c.vertex >= 0);
    SW_ASSERT(isfinite(c.at.x + c.at.y + c.at.z) && isfinite(c.value[0]) && isfinite(c.value[1]));
    const swReal *q = c.turn, norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    SW_ASSERT(norm == 0 || fabs(norm - 1) < 1e-9);
    return 0;
}
