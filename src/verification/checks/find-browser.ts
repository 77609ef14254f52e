import { accessSync, constants } from 'node:fs';

/** Where systems put a browser that can be driven without a window. Not the PATH, which a project may extend. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export function findBrowser(): string | undefined {
  return PLACES.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      // Safe: not there, or not ours to run, is the same here.
      return false;
    }
  });
}
