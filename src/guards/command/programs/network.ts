import { posix } from 'node:path';
import { type Field, HOLE, plainField } from '../words/field.ts';
import { type Call, type Program, type Programs, runShellText, use } from './call.ts';
import { type OptionShape, readOptions } from './read-options.ts';

function isRemote(text: string): boolean {
  return /^[^/]{1,300}:(?!\/\/)/.test(text) || /^(?:rsync|scp|sftp):\/\//.test(text);
}

/** scp and rsync: the last operand is the target; a host prefix marks a remote path. */
function transfer(shape: OptionShape): Program {
  return (call) => {
    const options = readOptions(call.args, shape);
    for (const { text } of options.values('e', 'rsh', 'S', 'rsync-path')) runShellText(call, text);
    use(
      call,
      'read',
      ...options.values('i', 'F', 'files-from', 'exclude-from', 'include-from', 'password-file'),
    );
    use(call, 'write', ...options.values('log-file', 'backup-dir', 'partial-dir'));
    const here = options.operands.filter(({ text }) => !isRemote(text));
    const target = options.operands.at(-1);
    const sources = options.operands.slice(0, -1);
    use(
      call,
      options.has('remove-source-files') ? 'delete' : 'read',
      ...here.filter((one) => one !== target),
    );
    if (target === undefined || isRemote(target.text) || options.has('n', 'dry-run', 'list-only'))
      return HOLE;
    use(call, 'write', target);
    for (const { text, glob } of sources) {
      const name = posix.basename(text.replace(/^[^/]{1,300}:/, ''));
      if (!text.endsWith('/') && name !== '')
        use(call, 'write', { text: `${target.text.replace(/\/+$/, '')}/${name}`, glob });
    }
    if (options.has('delete', 'del', 'delete-after', 'delete-before', 'delete-excluded'))
      use(call, 'delete', target);
    return HOLE;
  };
}

const curl: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'oTKdFHXAebcuEmwxDQrtyYzCP',
    long: [
      'output',
      'upload-file',
      'config',
      'data',
      'data-binary',
      'data-raw',
      'data-urlencode',
      'form',
      'header',
      'request',
      'user-agent',
      'referer',
      'cookie',
      'cookie-jar',
      'user',
      'cert',
      'key',
      'cacert',
      'max-time',
      'connect-timeout',
      'write-out',
      'proxy',
      'dump-header',
      'output-dir',
      'retry',
      'url',
      'json',
      'trace',
      'trace-ascii',
      'stderr',
      'unix-socket',
      'resolve',
      'range',
      'etag-save',
      'hsts',
      'alt-svc',
      'libcurl',
      'netrc-file',
    ],
  });
  const folder = options.value('output-dir');
  const place = (field: Field): Field =>
    folder === undefined ? field : { ...field, text: `${folder.text}/${field.text}` };
  use(
    call,
    'write',
    ...options
      .values('o', 'output')
      .filter(({ text }) => text !== '-')
      .map(place),
  );
  use(
    call,
    'write',
    ...options
      .values(
        'D',
        'dump-header',
        'c',
        'cookie-jar',
        'trace',
        'trace-ascii',
        'stderr',
        'etag-save',
        'hsts',
        'alt-svc',
        'libcurl',
      )
      .filter(({ text }) => text !== '-'),
  );
  use(
    call,
    'read',
    ...options.values('T', 'upload-file', 'K', 'config', 'E', 'cert', 'key', 'cacert', 'netrc-file'),
  );
  if (options.has('K', 'config'))
    call.shell.findings.unclear(`curl reads options from ${options.value('K', 'config')?.text ?? ''}`);
  for (const { text } of options.values('d', 'data', 'data-binary', 'data-urlencode', 'F', 'form', 'json')) {
    const file = /(?:^|=)[@<]([^;]{1,4096})/.exec(text)?.[1];
    if (file !== undefined) use(call, 'read', plainField(file));
  }
  const urls = [...options.operands, ...options.values('url')];
  for (const { text } of urls) {
    if (text.startsWith('file://')) use(call, 'read', plainField(text));
    if (options.has('O', 'remote-name', 'remote-name-all'))
      use(call, 'write', place(plainField(remoteName(text))));
  }
  return HOLE;
};

function remoteName(url: string): string {
  return posix.basename(url.split(/[?#]/, 1)[0] ?? '') || 'index.html';
}

const wget: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'OoaPieUtTQlARDIXw',
    long: [
      'output-document',
      'output-file',
      'append-output',
      'directory-prefix',
      'input-file',
      'execute',
      'header',
      'post-file',
      'post-data',
      'user-agent',
      'tries',
      'timeout',
      'save-cookies',
      'load-cookies',
      'use-askpass',
      'config',
    ],
  });
  if (options.has('b', 'background')) call.shell.findings.background = true;
  use(
    call,
    'write',
    ...options
      .values('O', 'output-document', 'o', 'output-file', 'a', 'append-output', 'save-cookies')
      .filter(({ text }) => text !== '-'),
  );
  use(call, 'read', ...options.values('i', 'input-file', 'post-file', 'load-cookies', 'config'));
  for (const { text } of options.values('use-askpass')) runShellText(call, text);
  const folder = options.value('P', 'directory-prefix')?.text ?? '.';
  if (!options.has('O', 'output-document'))
    for (const { text } of options.operands) use(call, 'write', plainField(`${folder}/${remoteName(text)}`));
  return HOLE;
};

/** Containers: records mounts; does not follow commands inside. */
const docker: Program = (call) => {
  for (const [at, { text }] of call.args.entries()) {
    const next = call.args[at + 1];
    const value = /^(?:-v|--volume|--mount|--env-file|-f|--file|--cidfile|--iidfile)$/.test(text)
      ? next?.text
      : /^(?:-v|--volume=|--mount=|--env-file=|--file=)(.+)$/.exec(text)?.[1];
    if (value === undefined) continue;
    const source = /(?:^|,)(?:src|source)=([^,]{1,4096})/.exec(value)?.[1] ?? value.split(':', 1)[0] ?? '';
    if (/[/.~]/.test(source)) mount(call, source);
  }
  const [subcommand] = readOptions(call.args, {
    short: 'HlcD',
    long: ['host', 'context', 'log-level', 'config'],
    stops: true,
  }).operands;
  if (/^(?:run|exec|compose|build|buildx|start|create|up)$/.test(subcommand?.text ?? ''))
    call.shell.findings.unclear(`${call.name} ${subcommand?.text ?? ''} runs something in a container`);
  if (subcommand?.text === 'cp') copyOut(call);
  return HOLE;
};

function mount(call: Call, source: string): void {
  use(call, 'mention', plainField(source));
}

function copyOut(call: Call): void {
  const paths = readOptions(call.args, {}).operands.slice(1);
  const [from, to] = paths;
  if (from !== undefined && !isRemote(from.text)) use(call, 'read', from);
  if (to !== undefined && !isRemote(to.text)) use(call, 'write', to);
}

/** Programs that reach other machines and containers. */
export const NETWORK: Programs = {
  scp: transfer({ short: 'cFiJloPSXD' }),
  rsync: transfer({
    short: 'efTB',
    long: [
      'rsh',
      'rsync-path',
      'exclude',
      'include',
      'filter',
      'files-from',
      'exclude-from',
      'include-from',
      'log-file',
      'backup-dir',
      'partial-dir',
      'password-file',
      'temp-dir',
      'chmod',
      'chown',
      'port',
      'bwlimit',
      'compare-dest',
      'copy-dest',
      'link-dest',
      'out-format',
      'timeout',
      'max-size',
      'min-size',
    ],
    flags: ['delete', 'archive', 'recursive', 'dry-run', 'remove-source-files'],
  }),
  curl,
  wget,
  docker,
  podman: docker,
  nerdctl: docker,
};
