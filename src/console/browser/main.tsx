import { render } from 'preact';
import { App } from './app.tsx';
import { loadAccount } from './client/session.ts';
import { followLinks } from './router.ts';

addEventListener('click', followLinks);
void loadAccount();
const rootElement = document.getElementById('app');
if (rootElement) render(<App />, rootElement);
