import { expect, it } from 'vitest';
import { jsonSchemas } from '../../../src/config/project/json-schemas.ts';

it.each(jsonSchemas().map(({ name, text }) => [name, text]))(
  '%s is generated from the code',
  async (name, text) => {
    await expect(text).toMatchFileSnapshot(`../../../docs/schemas/${name}`);
  },
);
