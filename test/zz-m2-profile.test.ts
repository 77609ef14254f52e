import { it } from 'vitest';
import { realPath } from '../src/guards/real-path.ts';
import { expandGlob } from '../src/guards/expand-glob.ts';
import { pathPlace } from '../src/guards/path-place.ts';
import { resolvePath } from '../src/platform/sandbox/resolve-path.ts';
it('x', () => {
  const p = pathPlace({ cwd: process.cwd(), root: process.cwd(), home: '/root', dataFolder: '/root/.guardkit' });
  const g = `${process.cwd()}/${'*/'.repeat(2000)}`;
  for (let i = 0; i < 3; i++) {
    let t = performance.now();
    const e = expandGlob(g, p); console.log('expand', (performance.now() - t).toFixed(1), e.length);
    t = performance.now(); resolvePath(g); console.log('resolve', (performance.now() - t).toFixed(1));
    t = performance.now(); realPath(g, p); console.log('real', (performance.now() - t).toFixed(1));
  }
});
