import { isTestSide } from '../test-side/find-test-side.ts';
import { folderOf, type HarnessWalk, harnessPart } from './harness-part.ts';

/** Calls at the top of a conftest.py that only prepare. */
const HARMLESS_CALL =
  /^(?:sys\.path\.|os\.environ\.(?:setdefault|pop)\(|os\.environ\[["'](?!PYTEST|PYTHON|COV)\w{1,80}["']\]\s{0,9}=|load_dotenv\(|dotenv\.|logging\.|warnings\.|django\.setup\(|settings\.configure\(|faker\.|(?:np\.|numpy\.)?random\.seed\(|(?:hypothesis\.)?settings\.(?:register|load)_profile\(|pytest\.register_assert_rewrite\(|matplotlib\.use\(|locale\.setlocale\(|asyncio\.set_event_loop_policy\(|pass$)/;
/** Hooks that only add options, show text or name parameters. */
const HARMLESS_HOOK =
  /^(?:@pytest\.hookimpl(?:\(\w{0,40}(?:=True)?\))?\n)?def\s{1,9}pytest_(?:addoption|report_header|make_parametrize_id)\(/;
/** Only adds markers to the configuration. */
const MARKERS_ONLY =
  /^def\s{1,9}pytest_configure\([^\n]{0,80}\n(?:\s{1,40}config\.addinivalue_line\((?:[^()]|\n){1,400}\)\s{0,9}(?:\n|$)){1,50}$/;
const FAR_REACHING =
  /\bhookimpl\b|\bcollect_ignore|\bpytest_plugins\b|\bglobals\(|\bsetattr\(|\bexec\(|\beval\(|\bos\._exit\b/;

/**
 * The parts of a conftest.py that affect how tests are collected and judged: hooks, plugins, ignore lists, and code
 * that runs on import. Without fixtures; undefined if nothing remains.
 */
export function pythonHooks(text: string): string | undefined {
  const kept = topLevelStatements(text).filter(reachesIntoRunner);
  return kept.length === 0 ? undefined : kept.join('\n');
}

function reachesIntoRunner(statement: string): boolean {
  const [first = ''] = statement.split('\n', 1);
  if (/\bdef\s{1,9}pytest_/.test(statement)) {
    const isHarmless = HARMLESS_HOOK.test(statement) || MARKERS_ONLY.test(statement);
    return !isHarmless || FAR_REACHING.test(statement.replace(/^@pytest\.hookimpl/, ''));
  }
  if (FAR_REACHING.test(statement)) return true;
  if (/^(?:@|def\b|async\b|class\b|"|'|[rR]["'])/.test(first)) return false;
  // Imports that depend on the platform or on installed packages.
  if (/^(?:if|try|with)\b/.test(first))
    return statement
      .split('\n')
      .some((line) => !BLOCK_HEAD.test(line.trim()) && reachesAtTop(line.trim(), line));
  return reachesAtTop(first, statement);
}

const BLOCK_HEAD = /^(?:(?:if|elif|except|with)\b[^#]{0,200}:|try:|else:|finally:)$/;

function reachesAtTop(first: string, statement: string): boolean {
  if (/^(?:from|import)\b/.test(first)) {
    const names = first.startsWith('from') ? statement.slice(statement.indexOf('import') + 6) : '';
    return /\*|\bpytest_(?!plugins)/.test(names);
  }
  if (/^pytest_\w{1,80}\s{0,9}=/.test(first)) return true;
  // A plain name may be assigned; an attribute of another module may not, and nothing may be called.
  if (/^[A-Za-z_]\w{0,80}\s{0,9}(?::[^=]{0,200})?=/.test(first))
    return /\bpytest\.(?:skip|exit)\b/.test(statement);
  return !HARMLESS_CALL.test(first);
}

/** Splits at unindented lines outside brackets and long strings; decorators stay with their function. */
export function topLevelStatements(text: string): string[] {
  const statements: string[][] = [];
  let quote = '';
  let depth = 0;
  let decorated = false;
  for (const raw of text.split(/\r?\n/)) {
    const inside = quote !== '' || depth > 0;
    const scanned = scanLine(raw, quote, depth);
    quote = scanned.quote;
    depth = scanned.depth;
    const line = inside ? raw.trimEnd() : scanned.code.trimEnd();
    if (!inside && line.trim() === '') continue;
    const goesOn = inside || /^[\s)\]}]/.test(line) || /^(?:else|elif|except|finally)\b/.test(line);
    if ((goesOn || decorated) && statements.length > 0) statements[statements.length - 1]?.push(line);
    else statements.push([line]);
    if (!goesOn) decorated = line.startsWith('@');
  }
  return statements.map((lines) => lines.join('\n'));
}

function scanLine(
  line: string,
  openQuote: string,
  openDepth: number,
): { code: string; quote: string; depth: number } {
  let quote = openQuote;
  let depth = openDepth;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (line.startsWith(quote, at)) {
        at += quote.length - 1;
        quote = '';
      }
    } else if (char === '#') return { code: line.slice(0, at), quote, depth };
    else if (char === '"' || char === "'") {
      quote = line.startsWith(char.repeat(3), at) ? char.repeat(3) : char;
      at += quote.length - 1;
    } else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth = Math.max(0, depth - 1);
  }
  return { code: line, quote: quote.length === 3 ? quote : '', depth };
}

/** Adds what a conftest.py does beyond its fixtures, and the files that it names. */
export async function addConftest(path: string, text: string, walk: HarnessWalk): Promise<void> {
  const hooks = pythonHooks(text);
  if (hooks === undefined) return;
  walk.add(harnessPart(path, 'hooks', hooks));
  const { others, modules } = await pluginModules(hooks, walk);
  for (const module of modules)
    if (walk.begin(`conftest ${module}`))
      await addConftest(module, (await walk.reader.readText(module)) ?? '', walk);
  await walk.addNamedFiles(others, folderOf(path), 0);
  await walk.addNamedFiles(others, '', 0);
}

const PLUGINS = /^pytest_plugins\s{0,9}[+:=][^\n]{0,200}(?:\n[\s)\]][^\n]{0,200}){0,100}/gm;
const QUOTED_MODULE = /(['"])(\w{1,100}(?:\.\w{1,100}){0,20})\1/g;

/** The tests' own modules that a conftest.py loads like itself: their fixtures run in their base version, as its own do. */
async function pluginModules(
  hooks: string,
  walk: HarnessWalk,
): Promise<{ others: string; modules: Set<string> }> {
  const files = new Set((await walk.reader.list()).files);
  const modules = new Set<string>();
  const others = hooks.replace(PLUGINS, (statement) =>
    statement.replace(QUOTED_MODULE, (quoted, _quote, module: string) => {
      const place = module.replaceAll('.', '/');
      const found = [`${place}.py`, `${place}/__init__.py`].find((one) => files.has(one) && isTestSide(one));
      if (found !== undefined) modules.add(found);
      return found === undefined ? quoted : '';
    }),
  );
  return { others, modules };
}
