import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lendInstallFiles } from '../../../src/verification/environment/install-files.ts';
import { pinnedPath } from '../../../src/verification/environment/pinned-path.ts';
import {
  installVariables,
  sealedEnvironment,
} from '../../../src/verification/environment/sealed-environment.ts';
import {
  readToolchainRecord,
  recordToolchains,
} from '../../../src/verification/environment/toolchain-record.ts';

const folder = realpathSync(
  mkdtempSync(join(homedir().startsWith('/') ? tmpdir() : '/tmp', 'guardkit-sealed-')),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string, mode = 0o644): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const LOADS_CODE = {
  NODE_OPTIONS: '--require /x',
  BASH_ENV: '/x',
  PYTHONPATH: '/x',
  PYTHONUSERBASE: '/x',
  GOFLAGS: '-toolexec=/x',
  RUSTC_WRAPPER: '/x',
  CARGO_HOME: '/x',
  LD_PRELOAD: '/x',
  MAKEFLAGS: '--eval=x',
  GIT_CONFIG_GLOBAL: '/x',
  npm_config_node_options: '--require /x',
  npm_config_script_shell: '/x',
  PIP_CONFIG_FILE: '/x',
  PERL5OPT: '-Mx',
  JAVA_TOOL_OPTIONS: '-javaagent:/x',
  LANG: 'C; touch /x',
};

const request = {
  dataFolder: join(folder, 'data'),
  project: 'p',
  verify: { env: { GREETING: 'hello' }, pass_env: ['NAMED'] },
  home: '/private',
  sandboxed: true,
};

describe('the environment of a run', () => {
  it('has a private home, its own PATH and the configured variables', () => {
    const { env } = sealedEnvironment({
      ...request,
      env: {
        ...LOADS_CODE,
        PATH: '/planted',
        HOME: '/person',
        NAMED: 'yes',
        OTHER: 'no',
        TZ: 'Europe/Berlin',
      },
    });
    expect(env).toMatchObject({ HOME: '/private', GREETING: 'hello', NAMED: 'yes', TZ: 'Europe/Berlin' });
    expect(env.PATH?.split(':')).not.toContain('/planted');
    const known = /^(?:CI|TERM|SHELL|USER|LOGNAME|HOME|PATH|TMPDIR|GREETING|NAMED|TZ|RUSTUP_HOME)$/;
    expect(Object.keys(env).filter((name) => !known.test(name))).toEqual([]);
  });

  it('keeps pnpm and npx, where a project uses them, from asking the network, except in a set-up', () => {
    const ofManagers = (options: { usesPnpm?: boolean; usesNpx?: boolean; installs?: boolean }) =>
      Object.keys(sealedEnvironment({ ...request, env: {}, ...options }).env).filter((name) =>
        /npm_/.test(name),
      );
    expect(ofManagers({ usesPnpm: true })).toEqual(['pnpm_config_verify_deps_before_run']);
    expect(ofManagers({ usesNpx: true })).toEqual(['npm_config_prefer_offline']);
    expect(ofManagers({ usesPnpm: true, usesNpx: true, installs: true })).toEqual([]);
    expect(ofManagers({})).toEqual([]);
  });

  it('has registries, proxies and certificates in a set-up, and nothing that loads code', () => {
    const reaches = {
      HTTPS_PROXY: 'http://proxy.invalid',
      npm_config_registry: 'https://registry.invalid',
      PIP_INDEX_URL: 'https://index.invalid',
      NODE_EXTRA_CA_CERTS: '/etc/ssl/ca.pem',
      GOPROXY: 'https://go.invalid',
    };
    expect(installVariables({ ...LOADS_CODE, ...reaches, OTHER: 'no' })).toEqual(reaches);
  });
});

describe('settings that a set-up borrows', () => {
  it('only configure package sources, and are removed afterwards', () => {
    write(
      'person/.npmrc',
      'registry=https://r.invalid\n//r.invalid/:_authToken=${T}\nnode-options=--require /x\nscript-shell=/x\ncafile=/certs/ca.pem\nprefix=/x\nignore-scripts=true\n',
    );
    write(
      'person/.config/pip/pip.conf',
      '[global]\nindex-url = https://i.invalid\nextra-index-url =\n    https://a.invalid\n    https://b.invalid\ntarget = /x\n    /y\n[install]\nno-index = false\nuser = true\n',
    );
    write(
      'person/.yarnrc.yml',
      'npmRegistryServer: https://r.invalid\nyarnPath: /x\nplugins: [/x]\nnpmScopes:\n  a: { npmAuthToken: t }\n',
    );
    write(
      'person/.cargo/config.toml',
      '[build]\nrustc-wrapper = "/x"\n[registries.mine]\nindex = "https://c.invalid"\ncredential-provider = "/x"\n[target.x86_64-unknown-linux-gnu]\nrunner = "/x"\n[http]\ncainfo = "/certs/ca.pem"\n',
    );
    write('person/.config/go/env', 'GOPROXY=https://g.invalid\nGOFLAGS=-toolexec=/x\nCC=/x\n');
    const home = join(folder, 'lent');
    mkdirSync(home);
    const env = { HOME: join(folder, 'person'), T: 'token\nnode-options=--require /y' };
    const lent = lendInstallFiles(home, env);
    const read = (path: string) => readFileSync(join(home, path), 'utf8');
    expect(read('.npmrc')).toBe(
      'registry=https://r.invalid\n//r.invalid/:_authToken=token\ncafile=/certs/ca.pem\n',
    );
    expect(read('.config/pip/pip.conf')).toBe(
      '[global]\nindex-url = https://i.invalid\nextra-index-url =\n    https://a.invalid\n    https://b.invalid\n[install]\nno-index = false\n',
    );
    expect(read('.yarnrc.yml')).not.toMatch(/yarnPath|plugins/);
    expect(read('.yarnrc.yml')).toMatch(/npmRegistryServer[\s\S]*npmAuthToken/);
    expect(read('.cargo/config.toml')).not.toMatch(/wrapper|runner|credential-provider/);
    expect(read('.cargo/config.toml')).toMatch(/c\.invalid[\s\S]*cainfo/);
    expect(read('.config/go/env')).toBe('GOPROXY=https://g.invalid\n');
    expect(lent.named).toContain('/certs/ca.pem');
    lent.takeBack();
    for (const path of [
      '.npmrc',
      '.yarnrc.yml',
      '.config/pip/pip.conf',
      '.cargo/config.toml',
      '.config/go/env',
    ])
      expect(() => read(path), path).toThrow();
  });
});

describe('the PATH of a run', () => {
  it('consists, without a record, of the system’s folders, then the person’s, never a version manager’s', () => {
    const home = join(folder, 'home');
    const managed = ['.pyenv/versions/3.12.1/bin', '.pyenv/shims', '.rbenv/versions/3.3.0/bin'];
    const toolchain = '.rustup/toolchains/stable-x/bin';
    for (const path of [...managed, toolchain, '.local/bin', '.cargo/bin'])
      mkdirSync(join(home, path), { recursive: true });
    write('home/.pyenv/version', '3.12.1\n');
    write('home/.rbenv/version', '3.3.0\n');
    write('home/.rustup/settings.toml', 'default_toolchain = "stable-x"\n');
    const { folders, readable } = pinnedPath(undefined, home);
    const at = (path: string) => folders.indexOf(path);
    expect(managed.map((path) => at(join(home, path)))).toEqual([-1, -1, -1]);
    for (const path of [toolchain, '.local/bin', '.cargo/bin'])
      expect(at(join(home, path)), path).toBeGreaterThan(at('/usr/bin'));
    expect(readable).toContain(join(home, '.rustup/toolchains/stable-x'));
    expect(readable).not.toContain(home);
    expect(readable).not.toContain(join(home, '.cargo'));
  });

  it('finds the same interpreter as the person’s own PATH', async () => {
    const home = join(homedir(), `.guardkit-test-${process.pid}`);
    const python = join(home, 'versions/3.12.1/bin');
    try {
      for (const path of [python, join(home, 'pyenv/shims'), join(home, 'pyenv/bin')])
        mkdirSync(path, { recursive: true });
      const program = (path: string, text: string) =>
        writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      program(join(python, 'python3'), 'true');
      program(join(home, 'pyenv/shims/python3'), 'false');
      program(join(home, 'pyenv/bin/pyenv'), `echo ${python}/python3`);
      const system = '/usr/bin:/bin';
      const managed = `${home}/pyenv/shims:${home}/pyenv/bin`;
      const first = async (path: string) => {
        const given = { env: { PATH: path }, root: folder, dataFolder: join(folder, 'd'), project: 'p' };
        const record = await recordToolchains({ ...given, agent: undefined });
        const { folders } = pinnedPath(record, home);
        return [
          dirname(record.programs.python3 ?? python),
          folders.find((one) => one === python || one === '/usr/bin'),
        ];
      };
      expect(await first(`${managed}:${system}`)).toEqual([python, python]);
      expect(await first(`${system}:${managed}`)).not.toContain(python);
      expect(await first(system)).not.toContain(python);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it('is recorded by a person’s command, with real programs instead of shims, and never by an agent’s', async () => {
    const root = join(folder, 'project');
    mkdirSync(join(root, 'bin'), { recursive: true });
    const tools = '/usr/bin';
    const given = {
      env: { PATH: `${root}/bin:/tmp:node_modules/.bin:${tools}` },
      root,
      dataFolder: request.dataFolder,
      project: 'p',
    };
    await expect(recordToolchains({ ...given, agent: 'an agent' })).rejects.toMatchObject({
      code: 'toolchains.agent',
    });
    expect(readToolchainRecord(request.dataFolder, 'p')).toBeUndefined();
    const record = await recordToolchains({ ...given, agent: undefined });
    expect(record.folders).toEqual([tools]);
    expect(readToolchainRecord(request.dataFolder, 'p')).toEqual(record);
    const { env } = sealedEnvironment({ ...request, env: { PATH: '/planted' } });
    expect(env.PATH?.split(':')[0]).toBe(tools);
  });
});
