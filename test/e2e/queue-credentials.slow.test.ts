import { afterAll, expect, it } from 'vitest';
import { bubblewrap } from '../support/bubblewrap.ts';
import { GitHttpServer } from '../support/git-http-server.ts';
import { documented, QueueProject } from '../support/queue-project.ts';

const PASSWORD = 'push-passw0rd-0f-the-machine';
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** Everything with which an agent might push. Each command goes on if one fails. */
const TRIES = [
  'env > docs/a.md',
  'git config --list >> docs/a.md 2>&1',
  'for f in .git-credentials .gitconfig .netrc .ssh/id_ed25519; do cat "$HOME/$f" >> docs/a.md 2>&1; done',
  'printf "protocol=http\\nhost=%s\\n\\n" "$(git remote get-url origin | cut -d/ -f3)" | GIT_TERMINAL_PROMPT=0 git credential fill >> docs/a.md 2>&1',
  'GIT_TERMINAL_PROMPT=0 git push origin HEAD:refs/heads/stolen >> docs/a.md 2>&1 && echo PUSHED >> docs/a.md',
];

it('[MANY-2] a worker pushes with its user’s credentials, which its agents do not have', async (context) => {
  await bubblewrap(context);
  const project = await QueueProject.create([documented('A', { run: [TRIES.join('; ')] })]);
  closing.push(() => project.cleanup());
  const server = await GitHttpServer.start(project.sandbox.folder, 'machine', PASSWORD);
  closing.push(() => server.stop());
  await project.queueJson('queue', 'init');
  await project.queueJson('queue', 'add', 'FEAT-A');
  const machine = project.machine('one');
  project.sandbox.git('one/calc', 'remote', 'set-url', 'origin', `${server.url}/remote.git`);
  const login = server.url.replace('//', `//machine:${PASSWORD}@`);
  project.sandbox.write('one/home/.git-credentials', `${login}\n`);
  project.sandbox.write('one/home/.gitconfig', '[credential]\n\thelper = store\n');
  project.sandbox.write('one/home/.ssh/id_ed25519', PASSWORD);
  project.sandbox.write('one/home/.netrc', `machine 127.0.0.1 login machine password ${PASSWORD}\n`);
  const secrets = { GIT_ASKPASS: '/bin/askpass', SSH_AUTH_SOCK: '/run/agent', GITHUB_TOKEN: PASSWORD };
  const worker = project.worker({ ...machine, env: { ...machine.env, ...secrets } }, ['--until-empty']);
  expect(await worker.exited, worker.output()).toBe(0);
  expect(await project.states(), worker.output()).toEqual({ 'FEAT-A': 'completed' });
  const [turn] = await project.steps('committed');
  const found = project.sandbox.git('remote.git', 'show', `${String(turn?.data.commit)}:docs/a.md`);
  // The commands did run, in the work tree of the clone.
  expect(found).toContain(`remote.origin.url=${server.url}/remote.git`);
  for (const secret of [
    PASSWORD,
    'PUSHED',
    'GIT_ASKPASS',
    'SSH_AUTH_SOCK',
    'GUARDKIT_DATABASE_URL',
    project.url,
  ])
    expect(found).not.toContain(secret);
  expect(project.remoteRefs()).not.toContain('refs/heads/stolen');
});
