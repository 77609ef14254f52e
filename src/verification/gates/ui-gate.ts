import { combineOutcomes } from '../../domain/outcome.ts';
import { type Gate, some } from './gate.ts';

/** What a person will look at was looked at in a browser. */
export const uiGate: Gate = {
  name: 'ui',
  judge({ rules, checks }) {
    if (!rules.ui) return { result: 'absent', required: false, reason: 'not marked `ui: true`' };
    const browser = checks.filter(({ check }) => check.browser !== undefined);
    if (browser.length === 0) {
      const reason = 'marked `ui: true`, but no check has `browser:`; add one under `verify.checks`';
      return { result: 'absent', required: true, reason };
    }
    const bad = browser.filter(({ result }) => result !== 'pass');
    return {
      result: combineOutcomes(browser.map(({ result }) => result)),
      required: true,
      reason:
        bad.length > 0
          ? some(
              bad.map(({ check, reason }) => `${check.name}: ${reason}`),
              3,
            )
          : `${browser.map(({ check }) => check.name).join(', ')} passed in a browser`,
      evidence: browser.map(({ evidence }) => evidence.id),
    };
  },
};
