import { readFile } from 'node:fs/promises';
import { buildPage, bundleText } from '../bundle/bundle.ts';

const browserFile = (name: string) => new URL(`./browser/${name}`, import.meta.url);

/** The editor's page. It is the same for every task. */
export const buildEditor = () =>
  buildPage(browserFile('index.html'), '/edit/assets/', {
    main: browserFile('main.ts'),
    editor: browserFile('editor.css'),
  });

/** The style and the script that a page gets when the editor shows it in its frame. */
export async function buildFramedAssets(): Promise<{ style: string; script: string }> {
  const [style, script] = await Promise.all([
    readFile(browserFile('framed.css'), 'utf8'),
    bundleText(browserFile('framed.ts')),
  ]);
  return { style, script };
}
