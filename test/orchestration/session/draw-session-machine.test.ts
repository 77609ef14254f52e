import { expect, it } from 'vitest';
import { drawSessionMachine } from '../../../src/orchestration/session/draw-session-machine.ts';

it('the diagram in the reference is drawn from the table that the code runs', async () => {
  await expect(await drawSessionMachine()).toMatchFileSnapshot('../../../docs/reference/session-machine.svg');
});
