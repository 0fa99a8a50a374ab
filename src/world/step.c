// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The main loop.
#include "world/world.h"

#include <string.h>

swStatus sw_step(const swModel *m, swState *s) {
    SW_ASSERT(m == s->model || m == s->view);
    const double start = sw_seconds();
    swReal t = sw_state_next_time(s);
    sw_state_notice(s, t);
    sw_islands_find(s);
    sw_pool_watch(s->pool, &s->config, "step", 0);
    sw_islands_run(s, sw_island_advance, &t);
    sw_pool_watch(s->pool, NULL, NULL, 0);
    sw_state_finish(s, t);
    sw_report_gather(s);
    s->profile.total += sw_seconds() - start;
    s->profile.steps++;
    return s->report.status;
}
