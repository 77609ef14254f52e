/** Gates whose refusal only asks a person to agree to changed expectations or a changed test command. */
const YES_GATES = new Set(['harness', 'no-test-lost', 'no-test-weakened']);

/** The column of the table that one replay belongs to. */
export function outcomeOf(entry, result, reviewed = {}) {
  if (result.error !== undefined) return { column: 'could not run', gates: [], why: firstLine(result.error) };
  const { document } = result;
  if (document?.gates === undefined) return { column: 'could not run', gates: [], why: lastLine(result.log) };
  if (document.outcome === 'pass') {
    return entry.expected === 'refused'
      ? { column: 'accepted wrongly', gates: [], why: entry.why ?? '' }
      : { column: 'passed', gates: [], why: '' };
  }
  const stopping = document.gates.filter(({ required, result: verdict }) => required && verdict !== 'pass');
  const gates = stopping.map(({ gate }) => gate);
  const reasons = stopping.map(({ gate, reason }) => `${gate}: ${reason}`).join('; ');
  const notSetUp = stopping.find(({ gate, code }) => gate === 'tests' && code === 'setup-failed');
  const explained = (gate) => reviewed[entry.id ?? entry.commit]?.[gate] !== undefined;
  if (notSetUp !== undefined && !explained('tests'))
    return { column: 'could not run', gates, why: notSetUp.reason };
  if (entry.cheat !== undefined || gates.every((gate) => explained(gate) || isExpected(entry, gate))) {
    const yes = entry.expected === 'yes' && gates.every((gate) => YES_GATES.has(gate));
    return { column: yes ? "needs a person's yes" : 'refused rightly', gates, why: reasons };
  }
  return { column: 'refused wrongly', gates, why: reasons };
}

function isExpected({ expected }, gate) {
  if (expected === 'yes') return YES_GATES.has(gate);
  return expected === 'refused' && gate === 'new-tests-bite';
}

function firstLine(text) {
  return text.split('\n')[0];
}

function lastLine(text = '') {
  return text.trim().split('\n').slice(-3).join(' / ');
}
