// The bundle of the command line and the hooks. Its modules are evaluated at first use, so a hook does not load what only
// commands need.
export { runCaptured } from './interfaces/cli/program/run-captured.ts';
export { runCli } from './interfaces/cli/program/run-cli.ts';
export { answerReads } from './interfaces/dashboard/answer-reads.ts';
export { dashboardService } from './interfaces/dashboard/dashboard-service.ts';
export { openDashboard } from './interfaces/dashboard/open-dashboard.ts';
export { writeCiReport, writeReport } from './interfaces/dashboard/report/write-report.ts';
export { serveInThread } from './interfaces/dashboard/serve-in-thread.ts';
export { processContext, runHook } from './interfaces/hooks/run-hook.ts';
export { answerHooks } from './interfaces/serve/answer-hooks.ts';
export { runServe } from './interfaces/serve/run-serve.ts';
