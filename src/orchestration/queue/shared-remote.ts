import { setTimeout as sleep } from 'node:timers/promises';
import { scrubSecrets } from '../../domain/secrets/scrub-secrets.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { PublishedTurn } from '../feature-build/build-context.ts';
import { branchOf } from '../feature-build/feature-worktree.ts';

const NETWORK_MS = 10 * 60_000;
const RETRY_AFTER_MS = [500, 2000, 5000];
/** Trying again would give the same answer. Over SSH, git prints "Could not read from remote repository" after any failure. */
const FINAL =
  /rejected|denied|refused by|not found|does not appear to be|does not exist|stale info|authentication failed|host key verification failed|could not read (?:username|password)/i;
/** Also printed with a rejection, but the server may accept the same push a moment later. */
const PASSING =
  /cannot lock ref|failed to update ref|internal server error|unpacker error|no space left|connection (?:refused|reset|closed|timed out)|could not resolve host/i;

/** Whether git's message is the remote's answer, rather than a sign that it is away. */
export function isRefusal(stderr: string): boolean {
  return FINAL.test(stderr) && !PASSING.test(stderr);
}

/** The git remote through which workers exchange commits. Only GuardKit pushes; agents have no credentials for it. */
export class SharedRemote {
  readonly name: string;
  readonly #repository: Repository;
  /** Where this worker last left branches on the remote. */
  readonly #branches = new Map<string, string>();

  private constructor(repository: Repository, name: string) {
    this.#repository = repository;
    this.name = name;
  }

  static async open(repository: Repository, name: string): Promise<SharedRemote> {
    const { exitCode } = await repository.attempt(['config', '--get', `remote.${name}.url`]);
    if (exitCode !== 0) throw noRemote(name);
    return new SharedRemote(repository, name);
  }

  /** Where agents run: they can read git's settings, and must not find there what it takes to push. */
  async requireNoSecret(): Promise<void> {
    if (await hasSecret(this.#repository, this.name)) throw readableSecret(this.name);
  }

  /** Pushes commits to refs; nothing is moved that somebody else moved. */
  async push(
    updates: readonly { commit: string; ref: string; expected?: string | undefined }[],
  ): Promise<void> {
    const leases = updates.flatMap(({ ref, expected }) =>
      expected === undefined ? [] : [`--force-with-lease=${ref}:${expected}`],
    );
    const specs = updates.map(({ commit, ref }) => `${commit}:${ref}`);
    await this.#network(
      ['push', '--quiet', '--no-verify', '--atomic', ...leases, this.name, ...specs],
      'push',
    );
  }

  /** Fetches refs into GuardKit's own namespace; a pattern without matches is not an error. */
  async fetch(specs: readonly string[]): Promise<void> {
    await this.#network(
      ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', this.name, ...specs],
      'fetch',
    );
  }

  /**
   * Moves the branch that features are stacked on forward. One that is ahead already, or that somebody else added commits to,
   * stays and is an error.
   */
  async advance(branch: string, commit: string): Promise<void> {
    await this.push([{ commit, ref: `refs/heads/${branch}` }]);
  }

  /** The commit of a branch on the remote; undefined if there is none. */
  async branch(name: string): Promise<string | undefined> {
    const out = await this.#network(['ls-remote', this.name, `refs/heads/${name}`], 'ls-remote');
    return /^[0-9a-f]{40,64}/.exec(out)?.[0];
  }

  /**
   * Puts a turn's commit on a ref of its own, which no other worker writes, and moves the feature's branch there. A branch
   * that somebody else moved stays: it is only a name for people.
   */
  async publishTurn(
    feature: string,
    epoch: number,
    { taskId, number, commit }: PublishedTurn,
  ): Promise<void> {
    const turn = { commit, ref: `refs/guardkit/${feature}/${taskId}/T${number}-e${epoch}` };
    const branch = branchOf(feature);
    const expected = this.#branches.get(branch) ?? (await this.branch(branch)) ?? '';
    try {
      await this.push([turn, { commit, ref: `refs/heads/${branch}`, expected }]);
      this.#branches.set(branch, commit);
    } catch {
      // Safe: without the turn's own ref this throws again.
      this.#branches.delete(branch);
      await this.push([turn]);
    }
  }

  /** Fetches everything about a feature that any worker pushed, and the branch that features are stacked on. */
  async fetchFeature(feature: string, branch: string): Promise<void> {
    await this.fetch([`+refs/guardkit/${feature}/*:refs/guardkit/shared/${feature}/*`, ...stackedOn(branch)]);
  }

  /** Fetches the branch that features are stacked on, and its commits if somebody deleted it. */
  async fetchStacked(branch: string): Promise<void> {
    await this.fetch(stackedOn(branch));
  }

  /** A network that is away for a moment must not cost a turn. */
  async #network(args: readonly string[], what: string): Promise<string> {
    let { exitCode, stdout, stderr } = await this.#repository.attempt(args, { timeoutMs: NETWORK_MS });
    for (const wait of RETRY_AFTER_MS) {
      if (exitCode === 0 || isRefusal(stderr)) break;
      await sleep(wait);
      ({ exitCode, stdout, stderr } = await this.#repository.attempt(args, { timeoutMs: NETWORK_MS }));
    }
    if (exitCode === 0) return stdout;
    const refused = what === 'push' ? 'queue.push-refused' : 'queue.remote-failed';
    throw new GuardKitError({
      code: isRefusal(stderr) ? refused : 'queue.remote-away',
      kind: 'outside',
      message: `git ${what} with the remote "${this.name}" failed: ${stderr.trim().slice(0, 1000)}`,
      hint: 'Check the remote’s URL, and that this machine’s user may read it and push to refs/guardkit/* and guardkit/*.',
    });
  }
}

/** Patterns, so that a branch which somebody deleted after merging it is not an error. */
function stackedOn(branch: string): string[] {
  return [
    `+refs/${branch}/*:refs/guardkit/shared/stacked/*`,
    '+refs/heads/guardkit/run-*:refs/guardkit/shared/runs/run-*',
  ];
}

/** In a URL, or in a header that git sends with every request. */
async function hasSecret(repository: Repository, name: string): Promise<boolean> {
  const urls = ['--all', '--push'].map((kind) => repository.attempt(['remote', 'get-url', kind, name]));
  const headers = repository.attempt(['config', '-z', '--get-regexp', '^http\\.(.*\\.)?extraheader$']);
  const printed = (await Promise.all(urls)).map(({ stdout }) => stdout).join('');
  return printed.split('\n').some(isSecretUrl) || /authorization:/i.test((await headers).stdout);
}

/** The user of an SSH URL is not a secret, but a token may stand where others have a user. */
function isSecretUrl(url: string): boolean {
  return (URL.canParse(url) && new URL(url).password !== '') || scrubSecrets(url) !== url;
}

function noRemote(name: string): GuardKitError {
  return new GuardKitError({
    code: 'queue.no-remote',
    kind: 'input',
    message: `This clone has no remote "${name}", through which workers exchange commits.`,
    hint: `Add it with \`git remote add ${name} URL\`, or name another one in .guardkit/config.yaml:\nqueue:\n  remote: NAME`,
  });
}

function readableSecret(name: string): GuardKitError {
  return new GuardKitError({
    code: 'queue.remote-secret',
    kind: 'input',
    message: `Git’s settings contain a password or token for the remote "${name}", which agents could read and push with.`,
    hint: `Remove it (\`git remote set-url ${name} URL\`, \`git config --unset-all http.extraHeader\`), and use an SSH key or a credential helper.`,
  });
}
