import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { HookedProject, LIST_PATH } from '../support/hooked-project.ts';

const RULES = '.guardkit/config.yaml';
const LAX = 'project: shop-1\nguards: {}\n';

function inLedger<Result>(
  project: HookedProject,
  work: (ledger: ReturnType<typeof openLedger>) => Result,
): Result {
  const ledger = openLedger({ path: join(project.dataFolder, 'ledger.db') });
  try {
    return work(ledger);
  } finally {
    ledger.close();
  }
}

const violations = (project: HookedProject) =>
  inLedger(project, (ledger) =>
    ledger.entries('shop-1', { kind: 'violation_recorded' }).map(({ body }) => body),
  );

const CALL = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'tool-1' };

/** An action that takes away the window that it acts in, and then changes the rules. */
async function actUnseen(): Promise<HookedProject> {
  const project = new HookedProject();
  await project.begin();
  await project.hook({ hook_event_name: 'PreToolUse', ...CALL });
  inLedger(project, ({ file }) => file.database.exec('DELETE FROM windows'));
  project.write(RULES, LAX);
  return project;
}

describe('an action whose window was taken away', () => {
  it('has what it changed put back when it ends', async () => {
    const project = await actUnseen();
    project.write(LIST_PATH, project.read(LIST_PATH).replace('false', 'true'));
    const { json } = await project.hook({ hook_event_name: 'PostToolUse', ...CALL, tool_response: {} });
    expect(json).toMatchObject({ decision: 'block', reason: expect.stringContaining(RULES) });
    expect(project.read(RULES)).toBe('project: shop-1\n');
    expect(project.list().features.map(({ tested }) => tested)).toEqual([false, false]);
    expect(violations(project)).toMatchObject([
      { path: RULES, what: expect.stringContaining('whose window was gone'), action: 'tool-1' },
      { path: LIST_PATH },
    ]);
  });

  it('has it put back also when it fails', async () => {
    const project = await actUnseen();
    await project.hook({ hook_event_name: 'PostToolUseFailure', ...CALL, error: 'exit 1' });
    expect(project.read(RULES)).toBe('project: shop-1\n');
  });

  it('is not blamed where nothing has changed', async () => {
    const project = new HookedProject();
    await project.begin();
    await project.hook({ hook_event_name: 'PreToolUse', ...CALL });
    inLedger(project, ({ file }) => file.database.exec('DELETE FROM windows'));
    const { json } = await project.hook({ hook_event_name: 'PostToolUse', ...CALL, tool_response: {} });
    expect(json).toEqual({});
    expect(violations(project)).toEqual([]);
  });
});

describe('an action that a person let pass by a waiver', () => {
  const WRITE = { tool_name: 'Write', tool_use_id: 'tool-2' };

  async function waived(): Promise<{ project: HookedProject; call: Record<string, unknown> }> {
    const project = new HookedProject();
    await project.begin();
    inLedger(project, (ledger) =>
      ledger.append('shop-1', 'waiver_issued', {
        waiver_id: 'w-1',
        guard: 'protected-set',
        until: new Date(Date.now() + 60_000).toISOString(),
        uses: 1,
        reason: 'tests',
        by: 'Ada',
      }),
    );
    const call = { ...WRITE, tool_input: { file_path: project.path(RULES), content: LAX } };
    const { json } = await project.hook({ hook_event_name: 'PreToolUse', ...call });
    expect(json.hookSpecificOutput?.permissionDecision).toBeUndefined();
    expect(json.systemMessage).toContain('passed by waiver w-1');
    project.write(RULES, LAX);
    return { project, call };
  }

  it('has no window, and what it changed stays', async () => {
    const { project, call } = await waived();
    const { json } = await project.hook({ hook_event_name: 'PostToolUse', ...call, tool_response: {} });
    expect(json).toEqual({});
    expect(project.read(RULES)).toBe(LAX);
    expect(violations(project)).toEqual([]);
  });

  it('lends its waiver to no other action', async () => {
    const { project } = await waived();
    await project.hook({ hook_event_name: 'PreToolUse', ...CALL });
    inLedger(project, ({ file }) => file.database.exec('DELETE FROM windows'));
    project.write(RULES, 'project: shop-1\nguards: {protected-set: off}\n');
    await project.hook({ hook_event_name: 'PostToolUse', ...CALL, tool_response: {} });
    expect(project.read(RULES)).toBe(LAX);
    expect(violations(project)).toMatchObject([{ path: RULES, action: 'tool-1' }]);
  });

  it('changes nothing that GuardKit alone says', async () => {
    const { project, call } = await waived();
    project.write(LIST_PATH, project.read(LIST_PATH).replace('false', 'true'));
    await project.hook({ hook_event_name: 'PostToolUse', ...call, tool_response: {} });
    expect(project.list().features.map(({ tested }) => tested)).toEqual([false, false]);
  });
});
