import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataFolder, openWorkspace } from '../../../src/config/project/workspace.ts';
import { Sandbox } from '../../support/cli.ts';

const sandbox = new Sandbox();
const CONFIG = `project: shop
store:
  url: postgres://file@host/db
embeddings:
  baseUrl: https://vectors.example/v1
  model: small
`;

beforeAll(() => {
  sandbox.repository('shop');
  sandbox.write('shop/.guardkit/config.yaml', CONFIG);
});
afterAll(() => sandbox.cleanup());

function open(folder: string, env: NodeJS.ProcessEnv = {}) {
  return openWorkspace(sandbox.path(folder), { GUARDKIT_HOME: sandbox.home, ...env });
}

describe('a workspace', () => {
  it('takes the store from the environment before the file', async () => {
    expect((await open('shop')).store.url).toBe('postgres://file@host/db');
    const { store } = await open('shop', { GUARDKIT_DATABASE_URL: 'postgres://env@host/db' });
    expect(store.url).toBe('postgres://env@host/db');
  });

  it('takes an empty variable for none', async () => {
    expect((await open('shop', { GUARDKIT_DATABASE_URL: '' })).store.url).toBe('postgres://file@host/db');
    expect((await open('outside', { GUARDKIT_DATABASE_URL: '' })).store).toEqual({ path: sandbox.database });
  });

  it('gives an embeddings key only if it is meant for GuardKit [SEC-2]', async () => {
    const { store } = await open('shop', { OPENAI_API_KEY: 'other', GUARDKIT_EMBEDDINGS_API_KEY: 'ours' });
    expect(store.embeddings).toEqual({
      baseUrl: 'https://vectors.example/v1',
      model: 'small',
      apiKey: 'ours',
    });
    const { store: without } = await open('shop', { OPENAI_API_KEY: 'other' });
    expect(without.embeddings).not.toHaveProperty('apiKey');
  });

  it('finds its root from any folder of the project', async () => {
    sandbox.write('shop/src/deep/file', '');
    expect(await open('shop/src/deep')).toMatchObject({
      root: sandbox.path('shop'),
      home: sandbox.home,
      project: { known: true, id: 'shop' },
    });
  });

  it('outside a repository has neither a root nor a project, and still a store', async () => {
    expect(await open('outside')).toMatchObject({
      root: undefined,
      project: { known: false },
      store: { path: sandbox.database },
    });
  });

  it('does not read the configuration of a folder around the repository', async () => {
    sandbox.write('around/.guardkit/config.yaml', 'project: around\n');
    sandbox.repository('around/inner');
    expect((await open('around/inner')).project).toMatchObject({ id: expect.stringMatching(/^inner-/) });
  });

  it('refuses a data folder that is a file', async () => {
    const home = sandbox.write('file', '');
    await expect(open('outside', { GUARDKIT_HOME: home })).rejects.toMatchObject({
      code: 'home.not-a-folder',
      kind: 'outside',
    });
  });

  it.skipIf(!existsSync('/proc/self'))('ends with an error where no folder can be created (/proc)', () => {
    expect(() => createDataFolder('/proc/nope')).toThrow(
      expect.objectContaining({ code: 'home.not-created', kind: 'outside' }),
    );
  });
});
