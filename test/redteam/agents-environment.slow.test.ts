import { afterAll, describe, expect, it } from 'vitest';
import { HONEST_CHANGE, ONE_PROCESS } from '../support/verified-project.ts';
import type { AttackSession } from './attack-session.ts';
import { removeTemplate } from './project-template.ts';
import { BROKEN, CONFIG, isTested, ready } from './verified-session.ts';

const MENDED = 'export const sub = (a, b) => a - b;';
const VERIFY = 'guardkit verify FEAT-1 > ../verify.log 2>&1';

async function runs(session: AttackSession, text: string): Promise<void> {
  await session.writeTool('run.sh', `${text}\n`);
  await session.bash('bash run.sh');
}

function log(session: AttackSession): string {
  return session.read(`${session.root}/verify.log`);
}

afterAll(removeTemplate);

describe('[GUARD-8] an agent that manipulates the environment of verification', () => {
  it('does not pass with a variable that the code reads', async () => {
    const session = await ready({
      ...BROKEN,
      'src/sub.js': 'export const sub = (a, b) => (process.env.NICE ? a - b : a + b);\n',
    });
    await session.bash(`NICE=1 ${VERIFY}`);
    expect(isTested(session), log(session)).toBe(false);
    expect(log(session)).toMatch(/: .*\bNICE\b/);
  });

  it('does not pass with its own git that fixes the files', async () => {
    const session = await ready(BROKEN);
    await session.writeTool(
      'tools/git',
      `#!/bin/sh\n/usr/bin/git "$@"; code=$?\ncase "$*" in *"read-tree --reset -u"*) echo '${MENDED}' > "$GIT_WORK_TREE/src/sub.js";; esac\nexit $code\n`,
    );
    await runs(session, `chmod +x tools/git\nPATH=$PWD/tools:$PATH ${VERIFY}`);
    expect(isTested(session), log(session)).toBe(false);
  });

  it('does not pass by replacing packages in GuardKit’s workspace', async () => {
    const session = await ready(BROKEN, {
      '.guardkit/config.yaml': CONFIG.replace('verify:\n', 'verify:\n  setup: sh setup.sh\n'),
      'setup.sh': `mkdir -p node_modules/x; echo '{"name":"x","main":"index.js"}' > node_modules/x/package.json; echo > node_modules/x/index.js\n`,
      'tests.mjs': `import 'x';\n${ONE_PROCESS['tests.mjs']}`,
    });
    await session.bash(VERIFY);
    const mend = `const fs = require('fs'); if (fs.existsSync('src/sub.js')) fs.writeFileSync('src/sub.js', '${MENDED}');`;
    await session.writeTool('x.js', mend);
    await runs(
      session,
      'for room in ~/.guard*/worktrees/*/verify-*-1; do cp x.js $room/node_modules/x/index.js; done',
    );
    await session.bash(VERIFY);
    expect(isTested(session), log(session)).toBe(false);
  });

  it.each(['feature-build FEAT-1', 'task-work FEAT-1', 'run'])(
    'cannot pass its variables to `guardkit %s`',
    async (command) => {
      const session = await ready(BROKEN);
      await session.bash(`NICE=1 guardkit ${command} --driver command > ../verify.log 2>&1`);
      expect(log(session)).toMatch(/: .*\bNICE\b/);
    },
  );

  it('passes with honest work, whatever else it has set', async () => {
    const session = await ready(HONEST_CHANGE);
    await session.bash(`NICE=1 PATH=$PWD/tools:$PATH ${VERIFY}`);
    expect(isTested(session), log(session)).toBe(true);
  });
});
