import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { packageFolder } from '../../enforcement/install/own-package.ts';

/** The only files that are served, by path. */
const ASSETS: Readonly<Record<string, { file: string; type: string }>> = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/app.js': { file: 'app.js', type: 'text/javascript; charset=utf-8' },
  '/app.css': { file: 'style.css', type: 'text/css; charset=utf-8' },
  '/icon.svg': { file: 'icon.svg', type: 'image/svg+xml' },
};

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // No text can become markup or code, even by a mistake in the page.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Sent with every answer. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CSP,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

export function isAsset(path: string): boolean {
  return Object.hasOwn(ASSETS, path);
}

export function sendAsset(response: ServerResponse, path: string, withBody: boolean): void {
  const asset = ASSETS[path];
  if (!asset) return void response.writeHead(404, SAFE_HEADERS).end();
  const file = join(packageFolder(), 'dist', 'dashboard', asset.file);
  if (!existsSync(file))
    return void response
      .writeHead(503, SAFE_HEADERS)
      .end('This build has no dashboard. Reinstall guardkit.\n');
  const content = readFileSync(file);
  response.writeHead(200, {
    ...SAFE_HEADERS,
    'Content-Type': asset.type,
    'Content-Length': content.length,
  });
  response.end(withBody ? content : undefined);
}
