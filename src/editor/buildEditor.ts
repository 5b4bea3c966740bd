import { readFile } from 'node:fs/promises';
import { buildPage, bundleText } from '../bundle/bundle.ts';

const file = (name: string) => new URL(`./browser/${name}`, import.meta.url);

/** The editor's page. It is the same for every task. */
export const buildEditor = () =>
  buildPage(file('index.html'), '/edit/assets/', {
    main: file('main.ts'),
    editor: file('editor.css'),
  });

/** The style and the script that a page gets when the editor shows it in its frame. */
export async function buildFramed(): Promise<{ style: string; script: string }> {
  const [style, script] = await Promise.all([
    readFile(file('framed.css'), 'utf8'),
    bundleText(file('framed.ts')),
  ]);
  return { style, script };
}
