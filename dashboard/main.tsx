import { render } from 'preact';
import { signIn } from './api.ts';
import { App } from './app.tsx';
import { listenToKeys } from './keys.ts';
import { followChanges } from './live.ts';
import { report } from './report.ts';

const root = document.getElementById('app');
if (root) render(<App />, root);
await signIn();
if (!report) followChanges();
listenToKeys();
