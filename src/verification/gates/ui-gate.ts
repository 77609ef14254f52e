import { judgeChecks } from './checks-gate.ts';
import type { Gate } from './gate.ts';

/** A user interface was checked in a browser. */
export const uiGate: Gate = {
  name: 'ui',
  judge({ rules, checks }) {
    if (!rules.ui) return { result: 'absent', required: false, reason: 'not marked `ui: true`' };
    const browser = checks.filter(({ check }) => check.browser !== undefined);
    if (browser.length === 0) {
      const reason = 'marked `ui: true`, but no check uses `browser:`; add one under `verify.checks`';
      return { result: 'absent', required: true, reason };
    }
    return judgeChecks(browser, 'passed in a browser');
  },
};
