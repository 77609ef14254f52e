import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LiveProgress } from '../../../src/interfaces/cli/feature-build/show-events.ts';
import { LiveLine } from '../../../src/interfaces/cli/output/live-line.ts';

const CLEAR = '\r\u001b[2K';

function output(more: { isTTY?: boolean; columns?: number }) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream: Object.assign(stream, more), text: () => text };
}

describe('the last line of a terminal', () => {
  it('is written over, stays below other lines, and is gone at the end', () => {
    const { stream, text } = output({ isTTY: true, columns: 20 });
    const live = new LiveLine({ stderr: stream, env: { TERM: 'xterm' } });
    live.show('player 1 s');
    live.print('a line');
    live.show('player 2 s');
    live.end();
    live.print('the end');
    expect(text()).toBe(`${CLEAR}player 1 s${CLEAR}a line\nplayer 1 s${CLEAR}player 2 s${CLEAR}the end\n`);
  });

  it('never wraps, and sends nothing that a terminal would act on', () => {
    const { stream, text } = output({ isTTY: true, columns: 20 });
    new LiveLine({ stderr: stream, env: {} }).show(`much too long for it\u001b[31m${'!'.repeat(100)}\n`);
    expect(text().slice(CLEAR.length)).toBe('much too long for …');
  });

  it.each([
    ['no terminal', {}, {}],
    ['a terminal that cannot take a line back', { isTTY: true }, { TERM: 'dumb' }],
  ])('on %s is not there', (_name, kind, env) => {
    const { stream, text } = output(kind);
    const live = new LiveLine({ stderr: stream, env });
    live.show('player 1 s');
    live.print('a line');
    live.end();
    expect(text()).toBe('a line\n');
  });
});

describe('what goes on in a build', () => {
  const turn = { task: 'TASK-001', turn: 2 } as const;
  const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0.4 };

  it('is the turn, its step, what the agent does, the time and the cost', () => {
    const live = new LiveProgress(0);
    expect(live.line(1500)).toMatch(/ 1\.5 s · 1\.5 s\b/);
    live.see({ type: 'turn_began', ...turn, mode: 'continuing_work' }, 2000);
    live.see({ type: 'agent_began', ...turn, role: 'player', driver: 'claude' }, 3000);
    live.see({ type: 'agent_did', ...turn, role: 'player', line: 'Edit src/sub.js' }, 4000);
    expect(live.line(65_000)).toMatch(
      /^TASK-001 .*2 · player \(claude\) 1 min 2 s · 1 min 5 s.* · Edit src\/sub\.js$/,
    );
    live.see(
      { type: 'agent_ended', ...turn, role: 'player', end: 'answered', usage, refused: 0, putBack: [] },
      66_000,
    );
    live.see({ type: 'agent_began', ...turn, role: 'coach', driver: 'claude' }, 67_000);
    expect(live.line(68_000)).toMatch(/^TASK-001 .*2 · coach \(claude\) 1\.0 s · 1 min 8 s.* · \$0\.40$/);
  });
});
