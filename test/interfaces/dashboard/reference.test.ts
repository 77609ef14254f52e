import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { API_ROUTES } from '../../../src/interfaces/dashboard/api/answer-read.ts';

const page = readFileSync(new URL('../../../docs/reference/dashboard-api.md', import.meta.url), 'utf8');

it('the reference page names every read with its parameters', () => {
  for (const [name, { parameters }] of Object.entries(API_ROUTES)) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`/api/${name}\` |`)) ?? '';
    const named = [...(row.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, parameter]) => parameter);
    const { shape } = parameters as unknown as { shape: Record<string, unknown> };
    expect([name, named]).toEqual([name, Object.keys(shape)]);
  }
});
