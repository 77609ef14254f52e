import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isShape, isText } from '../../domain/json/plain-shape.ts';

/** A session that an agent's own files show. */
export interface SeenSession {
  session: string;
  folder: string;
  /** Milliseconds since 1970. */
  began: number;
}

/** Enough for the line that describes a session. */
const HEAD_BYTES = 64 * 1024;
/** Bounds the work in a folder with years of sessions. */
const MAX_FILES = 500;

const isCodexHead = isShape({
  timestamp: isText,
  payload: isShape({ session_id: isText, cwd: isText }),
});
const isGeminiHead = isShape({ sessionId: isText, startTime: isText });
const isCopilotHead = isShape({
  data: isShape({ sessionId: isText, startTime: isText, context: isShape({ cwd: isText }) }),
});
const isQwenHead = isShape({ sessionId: isText, cwd: isText, timestamp: isText });

const isClaudeLine = isShape({ sessionId: isText, cwd: isText, timestamp: isText });

/** Sessions of Claude Code since a moment, from its own files. Those of subagents are deeper. */
export function claudeSessions(env: NodeJS.ProcessEnv, since: number): SeenSession[] {
  const root = join(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), '.claude'), 'projects');
  return recentFiles(root, 2, since).flatMap((path) => {
    // The first lines may describe something else.
    const line = linesOf(path)
      .map(jsonOf)
      .find((one) => isClaudeLine(one));
    if (!isClaudeLine(line)) return [];
    return [{ session: line.sessionId, folder: line.cwd, began: Date.parse(line.timestamp) }];
  });
}

/** Sessions of Codex since a moment, from its own files. */
export function codexSessions(env: NodeJS.ProcessEnv, since: number): SeenSession[] {
  const root = join(env.CODEX_HOME ?? join(env.HOME ?? homedir(), '.codex'), 'sessions');
  return recentFiles(root, 4, since).flatMap((path) => {
    const head = headOf(path);
    if (!isCodexHead(head)) return [];
    const { session_id: session, cwd: folder } = head.payload;
    return [{ session, folder, began: Date.parse(head.timestamp) }];
  });
}

/** Sessions of Gemini CLI since a moment, from its own files. */
export function geminiSessions(env: NodeJS.ProcessEnv, since: number): SeenSession[] {
  const root = join(env.GEMINI_CLI_HOME ?? env.HOME ?? homedir(), '.gemini', 'tmp');
  return recentFiles(root, 3, since).flatMap((path) => {
    const head = headOf(path);
    const folder = textOf(join(dirname(dirname(path)), '.project_root'));
    if (!isGeminiHead(head) || folder === undefined) return [];
    return [{ session: head.sessionId, folder: folder.trim(), began: Date.parse(head.startTime) }];
  });
}

/** Sessions of Qwen Code since a moment, from its own files. */
export function qwenSessions(env: NodeJS.ProcessEnv, since: number): SeenSession[] {
  const own = env.QWEN_RUNTIME_DIR || env.QWEN_HOME || join(env.HOME ?? homedir(), '.qwen');
  return recentFiles(join(own, 'projects'), 3, since).flatMap((path) => {
    const head = headOf(path);
    // Beside the sessions are those of subagents.
    if (basename(dirname(path)) !== 'chats' || !isQwenHead(head)) return [];
    return [{ session: head.sessionId, folder: head.cwd, began: Date.parse(head.timestamp) }];
  });
}

/** Sessions of Copilot CLI since a moment, from its own files. */
export function copilotSessions(env: NodeJS.ProcessEnv, since: number): SeenSession[] {
  const own = env.COPILOT_HOME || join(env.HOME ?? homedir(), '.copilot');
  return recentFiles(join(own, 'session-state'), 2, since).flatMap((path) => {
    const head = headOf(path);
    if (!isCopilotHead(head)) return [];
    const { sessionId: session, startTime, context } = head.data;
    return [{ session, folder: context.cwd, began: Date.parse(startTime) }];
  });
}

/** Session files that changed since a moment, at most `depth` levels below a folder. */
function recentFiles(folder: string, depth: number, since: number): string[] {
  const found: string[] = [];
  const walk = (at: string, left: number) => {
    for (const entry of entriesOf(at)) {
      if (found.length >= MAX_FILES) return;
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (left > 1) walk(path, left - 1);
      } else if (entry.isFile() && entry.name.endsWith('.jsonl') && changedAt(path) >= since)
        found.push(path);
    }
  };
  walk(folder, depth);
  return found;
}

function entriesOf(folder: string) {
  try {
    // The newest first: their names contain dates.
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? 1 : -1));
  } catch {
    // Safe: the agent was never used here.
    return [];
  }
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function headOf(path: string): unknown {
  return jsonOf(linesOf(path)[0] ?? '');
}

/** The first lines of a file, the last one perhaps cut. */
function linesOf(path: string): string[] {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD_BYTES, 0)).split('\n');
    } finally {
      closeSync(file);
    }
  } catch {
    // Safe: an unreadable file shows no session.
    return [];
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Safe: see above.
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Safe: see above.
    return undefined;
  }
}
