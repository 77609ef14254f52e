/**
 * Does what must not depend on where and when it is done, such as what a snapshot keeps: whoever asks meanwhile for the
 * environment, the folder, the time or chance gets an error.
 */
export function withoutWorld(work: () => void): void {
  const os = process.getBuiltinModule('node:os');
  const crypto = process.getBuiltinModule('node:crypto');
  const restore = [
    forbid(process, ['cwd', 'hrtime', 'uptime', 'getuid']),
    forbid(os, ['homedir', 'hostname', 'tmpdir', 'userInfo']),
    forbid(crypto, ['randomBytes', 'randomUUID']),
    forbid(Date, ['now']),
    forbid(Math, ['random']),
    forbidEnvironment(),
  ];
  try {
    work();
  } finally {
    for (const one of restore) one();
  }
}

function forbid(owner: object, names: readonly string[]): () => void {
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(owner, name)] as const);
  for (const name of names)
    Object.defineProperty(owner, name, {
      configurable: true,
      value: () => {
        throw asked(name);
      },
    });
  return () => {
    for (const [name, descriptor] of before) if (descriptor) Object.defineProperty(owner, name, descriptor);
  };
}

function forbidEnvironment(): () => void {
  const before = process.env;
  process.env = new Proxy(
    {},
    {
      get: (_, name) => {
        throw asked(`the environment for ${String(name)}`);
      },
    },
  );
  return () => {
    process.env = before;
  };
}

function asked(what: string): Error {
  return new Error(
    `A module of the hook's program asks for ${what} when it is evaluated. Let it do so when it is used: a snapshot ` +
      'would keep the answer for every hook.',
  );
}
