import { Readable, Writable } from 'node:stream';
import { type Details, readDetails } from '../../../src/orchestration/in-agent/session-details.ts';
import type { Session } from '../../../src/orchestration/session/session.ts';
import { endedSessions, openSessions } from '../../../src/orchestration/session-record/kept-session.ts';
import { openLedger } from '../../../src/store/ledger/open-ledger.ts';
import { type Answer, HookedProject, LIST_PATH, listText } from '../../support/hooked-project.ts';
import { loadCli } from '../../support/load-cli.ts';
import { MEASURED_FILES, testFile } from '../../support/verified-project.ts';

const { runCli } = await loadCli();

const CONFIG = (MEASURED_FILES['.guardkit/config.yaml'] ?? '').replace('calc-1234', 'shop-1');

/** The context that a hook gave to the agent. */
export function told({ json }: Answer): string {
  return json.hookSpecificOutput?.additionalContext ?? '';
}

/** The agent of the session that a text asks to start, by its name, and the feature that it is for. */
export function startAsked(text: string): { agent: string; feature: string } | undefined {
  const [, agent, feature] = /`([\w:]+-agent)`.*?(FEAT-\d+)/.exec(text) ?? [];
  return agent === undefined || feature === undefined ? undefined : { agent, feature };
}

/** A wired project with features and tests, and a session of Claude Code in it that a person can have driven. */
export class DrivenSession extends HookedProject {
  #agents = 0;
  /** A person's answer when a command asks. */
  typed = '';

  constructor(
    features: readonly Record<string, unknown>[] = [{ id: 'FEAT-1' }, { id: 'FEAT-2', priority: 2 }],
  ) {
    super();
    for (const [path, text] of Object.entries({ ...MEASURED_FILES, '.guardkit/config.yaml': CONFIG }))
      if (!path.startsWith('tasks/')) this.write(path, text);
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'tests');
    this.write(LIST_PATH, listText(features.map((one) => ({ complexity: 2, ...one }))));
  }

  prompt(text: string): Promise<Answer> {
    return this.hook({ hook_event_name: 'UserPromptSubmit', prompt: text });
  }

  /** A person's /guardkit-run prompt. */
  async order(): Promise<string> {
    await this.begin();
    return told(await this.prompt('/guardkit-run'));
  }

  spawn(type: string, by: Record<string, string> = {}): Promise<Answer> {
    this.#agents += 1;
    return this.hook({
      hook_event_name: 'PreToolUse',
      tool_name: 'Agent',
      tool_input: { subagent_type: type, prompt: 'go' },
      tool_use_id: `spawn-${this.#agents}`,
      ...by,
    });
  }

  /** Runs an agent from start to end; returns its instructions. */
  async agent(
    type: string,
    said: string,
    work: (by: { agent_id: string; agent_type: string }) => Promise<unknown> = async () => {},
  ): Promise<string> {
    await this.spawn(type);
    const by = { agent_id: `agent-${this.#agents}`, agent_type: type };
    const given = told(await this.hook({ hook_event_name: 'SubagentStart', ...by }));
    await work(by);
    await this.hook({ hook_event_name: 'SubagentStop', ...by, last_assistant_message: said });
    return given;
  }

  /** The orchestrator's context when the agent has finished. */
  async handedBack(type: string, more: Record<string, unknown> = {}): Promise<string> {
    return told(
      await this.hook({
        hook_event_name: 'PostToolUse',
        tool_name: 'Agent',
        tool_input: { subagent_type: type },
        tool_use_id: `spawn-${this.#agents}`,
        tool_response: { status: 'completed' },
        ...more,
      }),
    );
  }

  /** A coding agent that implements a feature with a test. */
  async code(feature: string, name: string, passes = true): Promise<string> {
    return this.agent(
      'coding-agent',
      `IMPLEMENTATION COMPLETE - Feature ${feature} ready for testing`,
      async (by) => {
        const file = {
          file_path: this.path(`src/${name}.js`),
          content: `// ${by.agent_id}\nexport const ${name} = () => 1;\n`,
        };
        await this.act('Write', file, by);
        const content = testFile(`AC-001 ${name}`, name, `${name}()`, passes ? '1' : '2');
        await this.act('Write', { file_path: this.path(`test/${name}.test.js`), content }, by);
      },
    );
  }

  /** Runs a GuardKit command; returns its output and exit code. */
  async command(by: 'person' | 'agent', ...args: string[]): Promise<{ exitCode: number; text: string }> {
    let text = '';
    const sink = () =>
      new Writable({
        write(chunk, _encoding, done) {
          text += String(chunk);
          done();
        },
      });
    const exitCode = await runCli(args, {
      cwd: this.folder,
      env: by === 'person' ? this.personEnv() : this.agentEnv(),
      stdin: Readable.from(this.typed === '' ? [] : [this.typed]),
      stdout: sink(),
      stderr: sink(),
      findPerson: () =>
        by === 'person' ? { present: true } : { present: false, why: 'an agent started this' },
      findSandbox: async () => ({ available: false, why: 'not asked for', hint: '' }),
    });
    return { exitCode, text };
  }

  entries(kind: string) {
    const ledger = openLedger({ path: `${this.dataFolder}/ledger.db` });
    try {
      if (!ledger.verify('shop-1').ok) throw new Error('the chain is broken');
      return ledger.entries('shop-1', { kind }).map(({ body }) => body);
    } finally {
      ledger.close();
    }
  }

  /** The newest stored session, with its running agents. */
  kept(): Session & { details: Details } {
    const ledger = openLedger({ path: `${this.dataFolder}/ledger.db` });
    try {
      const [kept] = [...openSessions(ledger, 'shop-1'), ...endedSessions(ledger, 'shop-1')];
      if (!kept) throw new Error('there is no session');
      return { ...kept.session, details: readDetails(kept) };
    } finally {
      ledger.close();
    }
  }

  state(): { state: string; feature: string | null; agent: string | null; next_action: string } {
    return JSON.parse(this.read('.claude/progress/session-state.json'));
  }
}
