import { Readable, Writable } from 'node:stream';
import { HookedProject, LIST_PATH, listText } from '../support/hooked-project.ts';
import { loadCli } from '../support/load-cli.ts';

const { runCli } = await loadCli();

export interface Said {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** A project in which agents act and a person reviews what was learned. */
export class LearningProject extends HookedProject {
  /** A command by a person who answers `typed` to the prompt. */
  async person(args: readonly string[], typed = 'y\n'): Promise<Said> {
    return this.#run(args, typed, true);
  }

  async agent(args: readonly string[]): Promise<Said> {
    return this.#run(args, '', false);
  }

  async json<Answer = Record<string, unknown>>(args: readonly string[]): Promise<Answer> {
    const { stdout, stderr } = await this.person([...args, '--json']);
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Answer;
  }

  /** An agent claims that a feature is tested, in its own session. */
  async claimTested(session: string, feature: string) {
    this.session = session;
    await this.begin();
    const others = ['FEAT-1', 'FEAT-2'].filter((id) => id !== feature);
    const acted = await this.act('Write', {
      file_path: this.path(LIST_PATH),
      content: listText([{ id: feature, tested: true }, ...others.map((id) => ({ id }))]),
    });
    await this.hook({ hook_event_name: 'SessionEnd', reason: 'other' });
    return acted;
  }

  async #run(args: readonly string[], typed: string, person: boolean): Promise<Said> {
    const stdout = new Collector();
    const stderr = new Collector();
    const exitCode = await runCli([...args], {
      cwd: this.folder,
      env: person ? this.personEnv() : this.agentEnv(),
      stdin: Readable.from([Buffer.from(typed)]),
      stdout,
      stderr,
      findPerson: () => (person ? { present: true } : { present: false, why: 'an agent started this' }),
      findSandbox: async () => ({ available: false, why: 'not asked for', hint: '' }),
    });
    return { exitCode, stdout: stdout.text, stderr: stderr.text };
  }
}

class Collector extends Writable {
  text = '';
  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}
