import { describe, expect, it } from 'vitest';
import { sameAgentOrders } from '../../../src/enforcement/effective/agent-state.ts';

const text = (state: unknown) => JSON.stringify(state);

describe('the state that an agent’s program keeps', () => {
  it('is the same where only what the program notes for itself changed', () => {
    const before = text({ numStartups: 1, projects: { '/shop': { lastCost: 1 } } });
    const after = text({
      numStartups: 2,
      mcpServers: {},
      projects: { '/shop': { lastCost: 2, mcpServers: {} }, '/other': { allowedTools: [] } },
    });
    expect(sameAgentOrders(before, after)).toBe(true);
    expect(sameAgentOrders('', after)).toBe(true);
  });

  it('is another where a server or a hook came to it, for all projects or one', () => {
    const server = { shop: { command: './x' } };
    expect(sameAgentOrders('{}', text({ mcpServers: server }))).toBe(false);
    expect(sameAgentOrders('{}', text({ hooks: { Stop: [{}] } }))).toBe(false);
    expect(sameAgentOrders('{}', text({ projects: { '/shop': { mcpServers: server } } }))).toBe(false);
    expect(sameAgentOrders(text({ mcpServers: server }), '{}')).toBe(false);
  });

  it('is another where it cannot be read', () => {
    expect(sameAgentOrders('{}', '{')).toBe(false);
    expect(sameAgentOrders('[]', '[]')).toBe(false);
  });
});
